// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Looks out for what a player tells the session of a controller last, once another session goes on with what it plays.
///
/// Thread: `receive` the dispatcher's, the rest any other.
final class Farewell: EventSink {
    /// Real time that a player and its next holder may take for it.
    static let limitMilliseconds = 500

    let interest = EventMask(.takenOver)
    private let isThere = Atomic<Bool>(false)
    private let arrived = Gate()
    private let controller: ControllerID
    private let dispatcher: EventDispatcher

    init(to controller: ControllerID, from dispatcher: EventDispatcher) {
        self.controller = controller
        self.dispatcher = dispatcher
        dispatcher.attach(self, stage: .notification, to: controller)
    }

    func receive(_ events: [PlayerEvent]) {
        isThere.store(true, ordering: .releasing)
        arrived.signal()
    }

    /// Waits until a session has been told its end, and tells it if nobody does: nothing of the controller may come before.
    static func settle(_ pending: (awaited: Farewell, of: EventOutput)?) {
        guard let pending, !pending.awaited.isTold(within: limitMilliseconds) else { return }
        pending.of.post(.takenOver)
    }

    /// Waits for it. Once.
    func isTold(within milliseconds: Int) -> Bool {
        defer { dispatcher.detach(self, from: controller) }
        return arrived.wait(milliseconds: milliseconds) { isThere.load(ordering: .acquiring) }
    }
}
