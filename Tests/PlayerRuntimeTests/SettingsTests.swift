// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("Settings belong to the controller")
struct SettingsTests {
    let stage = FakeStage()

    private func set(_ controller: PlayerController) {
        controller.setRate(1.5)
        controller.setLoop(.times(2))
        controller.setMuted(true)
        controller.setVolume(0.25)
    }

    private static let wanted = {
        var settings = PlaybackSettings()
        settings.set(rate: 1.5)
        settings.loop = .times(2)
        settings.isMuted = true
        settings.set(volume: 0.25)
        return settings
    }()

    /// The values of the events of one type in one session.
    private func told(_ type: EventType, in session: UInt32) -> [[Int64]] {
        stage.events.filter { $0.type == type && $0.session.rawValue == session }.map { [$0.values[0], $0.values[1]] }
    }

    @Test("are kept without a player and put in force before the first source is prepared")
    func before() {
        let controller = PlayerController(environment: stage.environment)
        set(controller)
        #expect(controller.settings == SettingsTests.wanted)
        #expect(controller.rate == 1.5 && controller.isLooping && controller.isMuted && controller.volume == 0.25)
        #expect(stage.posted.isEmpty)
        controller.configure(stage.model())
        #expect(stage.factory.players[0].commands == ["setDataSource", "apply", "prepare", "start"])
        #expect(stage.factory.players[0].settings == SettingsTests.wanted)
        #expect(told(.rate, in: 1) == [[1500, 0]] && told(.mute, in: 1) == [[1, 250]])
        controller.destroy()
        #expect(controller.settings == SettingsTests.wanted)
    }

    @Test("B29: they survive replay and a change of source, and each session's events tell them")
    func survive() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        set(controller)
        #expect(controller.stateStore.snapshot.settings == SettingsTests.wanted)
        controller.replay()
        controller.configure(stage.model("/media/b.mp4"))
        #expect(stage.factory.players.map(\.settings) == [SettingsTests.wanted, SettingsTests.wanted])
        for session: UInt32 in 1...3 { #expect(told(.rate, in: session) == [[1500, 0]]) }
        #expect(controller.stateStore.snapshot.session?.rawValue == 3)
        #expect(controller.stateStore.rate == 1.5 && controller.stateStore.isLooping)
        #expect(controller.stateStore.isMuted && controller.stateStore.volume == 0.25)
        controller.destroy()
    }

    @Test("set while nothing plays are those of the next session")
    func between() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        stage.factory.players[0].complete()
        #expect(controller.setRate(2) == .performed)
        #expect(told(.rate, in: 1).isEmpty && controller.stateStore.rate == 2)
        controller.play()
        #expect(told(.rate, in: 2) == [[2000, 0]])
        controller.destroy()
        #expect(stage.environment.dispatcher.figures.lateEvents == 0)
    }

    @Test("B45: those of one controller are not those of the next who gets the player")
    func pooled() {
        let policy = FakePolicy(takesOver: true) { request in
            guard case .acquire = request.kind else { return PoolDecision(.keep) }
            return PoolDecision(request.players.first.map { .use($0.handle) } ?? .create)
        }
        let pool = PlayerPool(policy: policy, clock: stage.clock, log: stage.log)
        let one = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        let two = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        two.setVolume(0.75)
        one.configure(stage.model())
        set(one)
        let player = stage.factory.players[0]
        two.configure(stage.model())
        #expect(stage.factory.players.count == 1)
        #expect(player.settings.rate == 1 && player.settings.loop == .off && !player.settings.isMuted)
        #expect(player.settings.volume == 0.75 && one.settings == SettingsTests.wanted)
        two.destroy()
        one.destroy()
    }

    @Test("that loop let the source begin again in the same session, which counts it")
    func loops() {
        let controller = PlayerController(environment: stage.environment)
        controller.setLoop(.times(2))
        controller.configure(stage.model())
        let player = stage.factory.players[0]
        player.complete()
        player.complete()
        #expect(controller.playerState == .playing)
        stage.deliver()
        #expect(controller.stateStore.snapshot.loopCount == 2)
        player.complete()
        #expect(stage.sessions.map(\.endReason) == [.completed])
        #expect(stage.sessions.map(\.loopCount) == [2])
        controller.setLoop(true)
        #expect(controller.settings.loop == .forever)
        controller.setLoop(false)
        #expect(controller.settings.loop == .off && !controller.isLooping)
        controller.destroy()
    }

    @Test(
        "choose buffers by the scene type where the configuration names no scene",
        arguments: [
            (SceneType.vod, PlayerConfiguration.Scene?.none, PlayerConfiguration.Scene?.none), (.live, nil, .live),
            (.videoList, nil, .short), (.restricted, nil, nil), (.minimal, nil, nil), (.live, .long, .long),
        ])
    func scenes(type: SceneType, given: PlayerConfiguration.Scene?, expected: PlayerConfiguration.Scene?) {
        let controller = PlayerController(environment: stage.environment)
        var model = stage.model()
        model.sceneType = type
        model.configuration.scene = given
        controller.configure(model)
        #expect(stage.factory.players[0].model?.configuration.scene == expected)
        #expect(controller.playerModel?.configuration.scene == given)
        controller.destroy()
    }

    @Test("that only the model has are made on the player before it prepares")
    func configBlock() {
        let controller = PlayerController(environment: stage.environment)
        let journal = Journal()
        var model = stage.model()
        model.onPlayerConfig = { [weak controller] player in
            journal.note("player \(player.playerID) \(player.state) \(controller?.setRate(2) == .queued)")
        }
        controller.configure(model)
        #expect(journal.lines == ["player 1 idle true"])
        // Behind the queued command.
        controller.setMuted(true)
        #expect(controller.rate == 2 && stage.factory.players[0].settings.rate == 2)
        controller.destroy()
    }
}
