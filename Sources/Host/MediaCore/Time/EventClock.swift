// SPDX-License-Identifier: Apache-2.0

/// Where event time comes from. Injected everywhere; nothing in the host reads another clock for events.
///
/// Thread: any.
public protocol EventClock: AnyObject, Sendable {
    /// The current event time; never goes back.
    func now() -> EventTime
    /// How long the machine has slept since some moment, in microseconds, which event time does not see; never goes back.
    var slept: Int64 { get }
}

extension EventClock {
    /// A clock of its own sees no sleep.
    public var slept: Int64 { 0 }
}
