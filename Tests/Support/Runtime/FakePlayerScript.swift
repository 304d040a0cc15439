// SPDX-License-Identifier: Apache-2.0

public import MediaCore
import Synchronization

/// How the players of a factory behave. Set up before the first is made.
public final class FakePlayerScript: Sendable {
    public let preparesAtOnce: Bool
    public let arrivesAtOnce: Bool
    public let comesToRest: Bool
    public let leaves: Set<FakePlayer.Part>
    public let dataSourceError: PlayerError?
    private let stopHook = Mutex<(@Sendable (FakePlayer) -> Void)?>(nil)
    private let askHook = Mutex<(body: @Sendable () -> Void, skips: Int)?>(nil)

    public init(
        preparesAtOnce: Bool = true, arrivesAtOnce: Bool = true, comesToRest: Bool = true,
        leaves: Set<FakePlayer.Part> = [], dataSourceError: PlayerError? = nil
    ) {
        self.preparesAtOnce = preparesAtOnce
        self.arrivesAtOnce = arrivesAtOnce
        self.comesToRest = comesToRest
        self.leaves = leaves
        self.dataSourceError = dataSourceError
    }

    /// Is called back inside every `stop`.
    public func onStop(_ body: (@Sendable (FakePlayer) -> Void)?) {
        stopHook.withLock { $0 = body }
    }

    /// Is called back once, inside the question for the state of a player.
    ///
    /// - Parameter count: the how many that question is from now.
    public func onAsk(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        askHook.withLock { $0 = (body, count - 1) }
    }

    func asking() {
        let body = askHook.withLock { hook -> (@Sendable () -> Void)? in
            guard let (body, skips) = hook else { return nil }
            hook = skips > 0 ? (body, skips - 1) : nil
            return skips > 0 ? nil : body
        }
        body?()
    }

    func stopping(_ player: FakePlayer) {
        stopHook.withLock { $0 }?(player)
    }
}
