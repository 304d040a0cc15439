// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime

/// A session of a player that plays nothing, and strategies that count what is delivered of it.
struct CountedSession {
    let environment: PlayerEnvironment
    let controller: PlayerController
    let strategies: [Counter]
    /// Where the player would post.
    let output: EventOutput

    init(clock: any EventClock, strategies count: Int) throws {
        let factory = SilentPlayers()
        environment = PlayerEnvironment(clock: clock, factory: factory, registry: StrategyRegistry())
        controller = PlayerController(environment: environment)
        strategies = (0..<count).map { Counter(name: "counter-\($0)") }
        strategies.forEach(controller.strategyManager.register)
        controller.configure(PlayerModel(videoSource: .url("bench.mp4")))
        output = try factory.newest()
    }

    /// Events that reached the strategies, all together.
    var received: Int { strategies.reduce(0) { $0 + $1.received } }
}
