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
        /// It has been paused for as long as a run that nobody can resume may be. Once a session.
        case leftPaused
        /// Somebody called `wake`. Once.
        case woken
    }

    fileprivate struct State {
        var hasEnded = false
        var hasReached = false
        var isReachedTold = false
        var pausedSince: EventTime?
        var isLeftPaused = false
        var isWoken = false
        /// What still comes of a session that is over is none of the next one's business.
        var ended = SessionID.none

        var hasSignal: Bool { hasEnded || isWoken || isLeftPaused || hasReached && !isReachedTold }
    }

    private let until: PlaySettings.Until
    private let longestPause: Duration
    private let onEvent: (@Sendable (PlayerEvent) -> Void)?
    private let state = Mutex(State())
    private let gate = Gate()

    /// - Parameter longestPause: in event time.
    init(until: PlaySettings.Until, longestPause: Duration, onEvent: (@Sendable (PlayerEvent) -> Void)?) {
        self.until = until
        self.longestPause = longestPause
        self.onEvent = onEvent
    }

    /// A new session is about to be asked for.
    func expect() {
        state.withLock { state in
            state.hasEnded = false
            state.hasReached = false
            state.isReachedTold = false
            state.pausedSince = nil
            state.isLeftPaused = false
        }
    }

    func wait() -> Signal {
        while true {
            if let signal = next() { return signal }
            gate.wait { state.withLock { $0.hasSignal } }
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
            if state.isLeftPaused {
                state.isLeftPaused = false
                return .leftPaused
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
        state.withLock { state in
            state.hasEnded = true
            state.ended = session
        }
        gate.signal()
    }

    // MARK: EventSink

    var interest: EventMask { onEvent == nil ? EventMask(.prepared, .playIntent, .pauseIntent, .tick) : .all }

    func receive(_ events: [PlayerEvent]) {
        for event in events {
            onEvent?(event)
            if state.withLock({ $0.note(event, until: until, longestPause: longestPause) }) { gate.signal() }
        }
    }
}

extension SessionWatch.State {
    /// - Returns: whether there is something to wake up for.
    fileprivate mutating func note(
        _ event: PlayerEvent, until: PlaySettings.Until, longestPause: Duration
    ) -> Bool {
        guard event.session > ended else { return false }
        switch event.type {
        case .prepared where until == .prepared: hasReached = true
        case .pauseIntent:
            pausedSince = pausedSince ?? event.time
            return false
        case .playIntent:
            pausedSince = nil
            return false
        case .tick:
            guard let pausedSince, .microseconds(event.time - pausedSince) >= longestPause else { return false }
            self.pausedSince = nil
            isLeftPaused = true
        default: return false
        }
        return true
    }
}
