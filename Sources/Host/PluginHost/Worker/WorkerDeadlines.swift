// SPDX-License-Identifier: Apache-2.0

/// How long a worker may take for each call, real time in milliseconds.
package struct WorkerDeadlines: Hashable, Sendable {
    /// From starting the process until the plugin is loaded.
    package var load = 5000
    package var create = 5000
    /// One batch of events.
    package var events = 1000
    /// After this a decision is the default one; the worker is killed after `events`, or after three such misses in a row.
    package var decision = 25
    package var destroy = 2000

    package init() {}
}
