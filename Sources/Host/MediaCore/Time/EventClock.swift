// SPDX-License-Identifier: Apache-2.0

/// Where event time comes from. Injected everywhere; nothing in the host reads another clock for events.
///
/// Thread: any.
public protocol EventClock: AnyObject, Sendable {
    /// The current event time; never goes back.
    func now() -> EventTime
}
