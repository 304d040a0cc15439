// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// A controller, and others if a test wants them, over fake players under a built-in strategy.
struct ControllerStage {
    let stage: FakeStage
    let pool: PlayerPool
    let controller: PlayerController

    init(
        _ subject: Subject, max: Int64 = 3, _ options: [String: String] = [:],
        script: FakePlayerScript = FakePlayerScript()
    ) throws {
        stage = FakeStage(script: script)
        pool = PlayerPool(policy: try subject.policy(max: max, options), clock: stage.clock, log: stage.log)
        controller = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
    }

    var players: [FakePlayer] { stage.factory.players }

    func makeController() -> PlayerController {
        PlayerController(environment: stage.environment, lifecycleStrategy: pool)
    }

    func model(_ path: String, autoPlay: Bool = true) -> PlayerModel { stage.model(path, autoPlay: autoPlay) }

    /// The events of the controller with the `number`th ID, without what the host adds.
    func posted(by number: UInt32) -> [EventType] {
        stage.events.filter { $0.controller == ControllerID(rawValue: number) }.map(\.type)
            .filter { $0 != .tick && $0 != .sessionState }
    }

    func session(of source: String) throws -> SessionRecord {
        try #require(stage.sessions.first { $0.source == source })
    }

    func sessions(of controller: PlayerController) -> [SessionRecord] {
        stage.sessions.filter { $0.controller == controller.id }
    }

    /// Ends it all; nothing was told to a session that was over.
    ///
    /// - Parameter isTaken: a player was taken from who played. The counts that it tells when it is stopped come after their session.
    func end(_ others: PlayerController..., isTaken: Bool = false) {
        for controller in others { controller.destroy() }
        controller.destroy()
        #expect(pool.counts.active == 0 && pool.violation == nil)
        #expect(pool.status.faults.isEmpty)
        #expect(isTaken || stage.environment.dispatcher.figures.lateEvents == 0)
    }
}
