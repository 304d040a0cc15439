// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import Synchronization

/// Lets one thread wait for what happens in a controller's sessions.
///
/// Thread: `wait` and `expect` the waiting one; the rest any.
final class SessionWatch: EventSink {
    enum Signal {
        /// The session is over.
        case ended
        /// It has come as far as was asked for. Once a session.
        case reached
        /// Somebody called `wake`. Once.
        case woken
    }

    private struct State {
        var hasEnded = false
        var hasReached = false
        var isReachedTold = false
        var isWoken = false
    }

    private let until: PlaySettings.Until
    private let onEvent: (@Sendable (PlayerEvent) -> Void)?
    private let state = Mutex(State())
    private let gate = Gate()

    init(until: PlaySettings.Until, onEvent: (@Sendable (PlayerEvent) -> Void)?) {
        self.until = until
        self.onEvent = onEvent
    }

    /// A new session is about to be asked for.
    func expect() {
        state.withLock { state in
            state.hasEnded = false
            state.hasReached = false
            state.isReachedTold = false
        }
    }

    func wait() -> Signal {
        while true {
            if let signal = next() { return signal }
            gate.wait { state.withLock { $0.hasEnded || $0.isWoken || $0.hasReached && !$0.isReachedTold } }
        }
    }

    private func next() -> Signal? {
        state.withLock { state in
            if state.hasEnded { return .ended }
            if state.isWoken {
                state.isWoken = false
                return .woken
            }
            if state.hasReached, !state.isReachedTold {
                state.isReachedTold = true
                return .reached
            }
            return nil
        }
    }

    func wake() {
        state.withLock { $0.isWoken = true }
        gate.signal()
    }

    /// Thread: the dispatcher's.
    func sessionEnded(_ session: SessionID) {
        state.withLock { $0.hasEnded = true }
        gate.signal()
    }

    // MARK: EventSink

    var interest: EventMask { onEvent == nil ? EventMask(.prepared) : .all }

    func receive(_ events: [PlayerEvent]) {
        for event in events {
            onEvent?(event)
            guard until == .prepared, event.type == .prepared else { continue }
            state.withLock { $0.hasReached = true }
            gate.signal()
        }
    }
}
