// SPDX-License-Identifier: Apache-2.0

/// How long a call into a plugin may take before the plugin is taken for hanging; real time, milliseconds.
package struct CallDeadlines: Hashable, Sendable {
    /// Loading the library, its constructors and its entry.
    package var load = 5000
    package var create = 5000
    /// One batch of events.
    package var onEvents = 1000
    /// One decision; a late one is discarded.
    package var decide = 25
    package var destroy = 2000
    /// A worker that has had nothing to do for so long is asked whether it is there; it has as long to answer as for a batch.
    package var heartbeat = 1000

    package init() {}

    /// What a user may allow for a decision.
    package static let decisions = 1...10_000

    /// When an instance can be used or has been given up, at the latest: loading and `create` keep their deadlines.
    package static let longestStart = 12_000

    /// When a monitor has handled everything that waited for it or has been given up, at the latest: loading, `create` and the batches
    /// of a full queue each keep their deadlines. Who has nothing better to do waits that long, so that a slow start costs no report.
    package static let longestFinish = 30_000

    /// The shortest that a monitor's call may have.
    var shortest: Int { min(create, onEvents, destroy) }
}
