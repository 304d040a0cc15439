// SPDX-License-Identifier: Apache-2.0

public import MediaCore
import Synchronization

/// Makes fake players, numbered from 1, until it is told to fail.
public final class FakePlayerFactory: PlayerFactory {
    private struct State {
        var players: [FakePlayer] = []
        var failsFrom = Int.max
        var onMake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let script: FakePlayerScript

    public init(script: FakePlayerScript = FakePlayerScript()) {
        self.script = script
    }

    /// Every player that was made, in order.
    public var players: [FakePlayer] { state.withLock { $0.players } }

    /// Fails from the `count`th player on.
    public func fail(from count: Int) {
        state.withLock { $0.failsFrom = count }
    }

    /// Is called back inside every `makePlayer`.
    public func onMake(_ body: (@Sendable () -> Void)?) {
        state.withLock { $0.onMake = body }
    }

    public func makePlayer() throws(PlayerError) -> any MediaPlayer {
        state.withLock { $0.onMake }?()
        let player = state.withLock { state -> FakePlayer? in
            guard state.players.count + 1 < state.failsFrom else { return nil }
            let player = FakePlayer(playerID: Int64(state.players.count + 1), script: script)
            state.players.append(player)
            return player
        }
        guard let player else { throw PlayerError(.factoryFailed, "the fake factory fails as it was told") }
        return player
    }
}
