// SPDX-License-Identifier: Apache-2.0

/// Event time that media threads can wait in: every blocking wait of a media thread goes through its clock.
///
/// Thread: any.
package protocol MediaClock: EventClock {
    /// Whether waits for a moment may be cut short by moving time. Lateness then says nothing but how busy this machine is.
    var skipsWaits: Bool { get }

    /// A signal for a media thread that is about to start. The thread counts as running from now until `leave`.
    func makeSignal() -> any MediaSignal
}

/// What one media thread waits on and the others raise. Raising while nobody waits is remembered once, so no wake-up is lost.
package protocol MediaSignal: AnyObject, Sendable {
    /// Makes the current or the next wait return. Thread: any.
    func raise()

    /// Returns once raised, or when event time reaches `deadline`; may return early, so callers check their condition in a loop.
    ///
    /// - Parameter deadline: nil waits for `raise` only.
    ///
    /// Thread: the one media thread this signal was made for.
    func wait(until deadline: EventTime?)

    /// The thread ends, or is given up: time no longer depends on it. Later waits return at once. Thread: any; idempotent.
    func leave()
}
