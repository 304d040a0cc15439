// SPDX-License-Identifier: Apache-2.0

public import MediaCore
import Synchronization

/// How the players of a factory behave. Set up before the first is made.
public final class FakePlayerScript: Sendable {
    public let preparesAtOnce: Bool
    public let arrivesAtOnce: Bool
    public let comesToRest: Bool
    public let dataSourceError: PlayerError?
    private let stopHook = Mutex<(@Sendable (FakePlayer) -> Void)?>(nil)

    public init(
        preparesAtOnce: Bool = true, arrivesAtOnce: Bool = true, comesToRest: Bool = true,
        dataSourceError: PlayerError? = nil
    ) {
        self.preparesAtOnce = preparesAtOnce
        self.arrivesAtOnce = arrivesAtOnce
        self.comesToRest = comesToRest
        self.dataSourceError = dataSourceError
    }

    /// Is called back inside every `stop`.
    public func onStop(_ body: (@Sendable (FakePlayer) -> Void)?) {
        stopHook.withLock { $0 = body }
    }

    func stopping(_ player: FakePlayer) {
        stopHook.withLock { $0 }?(player)
    }
}
