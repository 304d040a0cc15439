// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("In the background")
struct BackgroundTests {
    let stage = FakeStage()

    private static let machine: Set<EventType> = [.background, .foreground, .playIntent, .pauseIntent]

    private var told: [EventType] { stage.posted.filter { BackgroundTests.machine.contains($0) } }

    private func states(of session: UInt32 = 1) -> [SessionState?] {
        stage.events.filter { $0.type == .sessionState && $0.session.rawValue == session }
            .map { SessionState(rawValue: Int32($0.values[0])) }
    }

    @Test("a player is paused, the wish stays, and it goes on in the foreground")
    func pausesAndResumes() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        #expect(controller.autoLifecycleManagement)
        #expect(controller.onPause() == .performed && controller.playerState == .paused)
        stage.clock.advance(milliseconds: 300)
        #expect(controller.onResume() == .performed && controller.playerState == .playing)
        #expect(told == [.playIntent, .background, .foreground])
        #expect(states() == [.joinPaused, .joining, .playing, .background, .playing])
        controller.destroy()
        #expect(stage.sessions[0].states[.background] == 300_000)
    }

    @Test("a wish to pause or play changes the wish only", arguments: [true, false])
    func wishes(playsAtLast: Bool) {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        controller.onPause()
        let player = stage.factory.players[0]
        let commands = player.commands
        controller.pause()
        controller.toggle()
        if !playsAtLast { controller.toggle() }
        #expect(player.commands == commands && controller.playerState == .paused)
        controller.onResume()
        #expect(controller.playerState == (playsAtLast ? .playing : .paused))
        controller.destroy()
    }

    @Test("B37: a source that becomes prepared there does not start to play before the foreground")
    func whilePreparing() {
        let stage = FakeStage(script: FakePlayerScript(preparesAtOnce: false))
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        controller.onPause()
        stage.factory.players[0].finishPreparing()
        #expect(controller.playerState == .prepared)
        #expect(!stage.posted.contains(.firstVideoFrame))
        controller.onResume()
        #expect(controller.playerState == .playing)
        controller.destroy()
    }

    enum Opening: CaseIterable {
        case configure, replay, play, seek
    }

    @Test("a new session prepares and waits for the foreground", arguments: Opening.allCases)
    func opening(_ opening: Opening) {
        let controller = PlayerController(environment: stage.environment)
        if opening != .configure {
            controller.configure(stage.model())
            stage.factory.players[0].complete()
        }
        controller.onPause()
        switch opening {
        case .configure: controller.configure(stage.model())
        case .replay: controller.replay()
        case .play: controller.play()
        case .seek: controller.seek(to: .zero)
        }
        let session: UInt32 = opening == .configure ? 1 : 2
        #expect(controller.playerState == .prepared)
        #expect(states(of: session).last == .background && !states(of: session).contains(.playing))
        #expect(stage.events.contains { $0.type == .playIntent && $0.session.rawValue == session })
        controller.onResume()
        #expect(controller.playerState == .playing && states(of: session).last == .playing)
        controller.destroy()
    }

    @Test("without automatic management it plays on, and only the state is told")
    func unmanaged() {
        let controller = PlayerController(environment: stage.environment)
        controller.autoLifecycleManagement = false
        controller.configure(stage.model())
        controller.onPause()
        #expect(controller.playerState == .playing && states().last == .background)
        controller.pause()
        #expect(controller.playerState == .paused)
        controller.play()
        #expect(controller.playerState == .playing)
        controller.configure(stage.model("/media/b.mp4"))
        #expect(controller.playerState == .playing)
        controller.onResume()
        #expect(states(of: 2).last == .playing)
        controller.destroy()
    }

    @Test("a later change of the management counts from the next time on")
    func changedInBetween() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        controller.onPause()
        controller.autoLifecycleManagement = false
        controller.play()
        #expect(controller.playerState == .paused)
        controller.onResume()
        #expect(controller.playerState == .playing)
        controller.onPause()
        #expect(controller.playerState == .playing)
        controller.destroy()
    }

    @Test("a stop ends the session, and coming back starts nothing")
    func stopped() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        controller.onPause()
        controller.stop()
        controller.onResume()
        #expect(controller.playerState == .stopped && stage.sessions.map(\.endReason) == [.stopped])
        controller.destroy()
    }

    @Test("a destroy ends the session, and leaves nothing to come back to")
    func destroyed() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        controller.onPause()
        #expect(controller.destroy() == .performed)
        #expect(controller.onResume().error?.code == .illegalState)
        #expect(stage.sessions.map(\.endReason) == [.destroy])
        #expect(stage.sessions.map(\.outcome) == [.partial])
    }

    @Test("before the first source it counts from that one's beginning")
    func beforeTheFirst() {
        let controller = PlayerController(environment: stage.environment)
        #expect(controller.onPause() == .performed)
        #expect(stage.posted.isEmpty && stage.environment.dispatcher.figures.lateEvents == 0)
        controller.configure(stage.model())
        #expect(states().last == .background)
        stage.clock.advance(milliseconds: 40)
        controller.onResume()
        controller.destroy()
        #expect(stage.sessions[0].states[.background] == 40_000 && stage.sessions[0].join == 0)
    }

    @Test("a player that another controller took is not touched when its former holder comes back")
    func takenOver() {
        let policy = FakePolicy(takesOver: true) { request in
            guard case .acquire = request.kind else { return PoolDecision(.keep) }
            return PoolDecision(request.players.first.map { .use($0.handle) } ?? .create)
        }
        let pool = PlayerPool(policy: policy, clock: stage.clock, log: stage.log)
        let one = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        let two = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        one.configure(stage.model())
        one.onPause()
        two.configure(stage.model("/media/b.mp4", autoPlay: false))
        let commands = stage.factory.players[0].commands
        #expect(one.onResume() == .performed)
        #expect(stage.factory.players[0].commands == commands && two.playerState == .prepared)
        one.destroy()
        two.destroy()
    }
}
