// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Where a player posts the events of one session: stamps controller, session and time, then queues.
///
/// A new one for every session, so an event can never be taken for another session's.
///
/// Thread: any; meant for media threads.
public final class EventOutput: Sendable {
    /// Stamped on every event.
    public let controller: ControllerID
    /// Stamped on every event; none for what belongs to whatever session is open.
    public let session: SessionID
    private let clock: any EventClock
    private let queue: EventQueue
    private let isEnding = Atomic<Bool>(false)

    public init(controller: ControllerID, session: SessionID, clock: any EventClock, queue: EventQueue) {
        self.controller = controller
        self.session = session
        self.clock = clock
        self.queue = queue
    }

    /// From now on the player's states are not posted: its owner is about to stop it and says itself why the session ends, after
    /// the player's last counts.
    public func end() {
        isEnding.store(true, ordering: .relaxed)
    }

    /// Posts an event that happens now.
    ///
    /// - Parameter position: the media position at which it happens, nil if there is none.
    public func post(_ event: consuming PlayerEvent, position: MediaTime? = nil) {
        post(event, at: clock.now(), position: position)
    }

    /// Posts an event with a time that was taken before.
    public func post(_ event: consuming PlayerEvent, at time: EventTime, position: MediaTime? = nil) {
        if event.type == .state, isEnding.load(ordering: .relaxed) { return }
        event.controller = controller
        event.session = session
        event.time = time
        if let position { event.position = position }
        queue.post(event)
    }
}
