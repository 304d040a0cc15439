// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("An action that a strategy asks for")
struct ActionTests {
    let stage = FakeStage()
    let controller: PlayerController

    init() {
        controller = PlayerController(environment: stage.environment)
        controller.admitActions()
        controller.configure(stage.model())
        stage.environment.dispatcher.barrier()
    }

    private var session: SessionID { stage.events.last?.session ?? .none }

    /// Asks because of the newest event, unless another is given, and waits for the outcome.
    private func act(
        _ action: ActionRequest.Action, argument: Int64 = 0, session: SessionID? = nil, trigger: UInt64? = nil,
        isGranted: Bool = true
    ) -> ActionRequest.Outcome? {
        let before = outcomes.count
        controller.act(
            ActionRequest(
                instance: "watcher", session: session ?? self.session,
                trigger: trigger ?? stage.events.last?.sequence ?? 0, action: action, argument: argument),
            isGranted: isGranted)
        guard Patience.wait(until: { outcomes.count > before }) else { return nil }
        return outcomes.last?.value(3).flatMap { ActionRequest.Outcome(rawValue: Int32($0)) }
    }

    private var outcomes: [PlayerEvent] { stage.events.filter { $0.type == .actionDone } }

    @Test("is done, and request and outcome are events around what it does")
    func done() throws {
        let trigger = try #require(stage.events.last?.sequence)
        #expect(act(.pause) == .done)
        #expect(controller.playerState == .paused)
        #expect(stage.posted.suffix(4) == [.actionRequested, .pauseIntent, .state, .actionDone])
        let request = try #require(stage.events.last { $0.type == .actionRequested })
        #expect(request.text == "watcher" && request.value(0) == 1 && request.value(1) == 0)
        #expect(request.value(2) == Int64(trigger))
        let outcome = try #require(outcomes.last)
        #expect(outcome.text == "watcher" && outcome.value(2) == Int64(trigger) && outcome.value(3) == 0)
        #expect(outcome.session == session)
        controller.destroy()
    }

    @Test("plays, seeks and stops as a command of the user would")
    func others() {
        #expect(act(.pause) == .done)
        #expect(act(.play) == .done)
        #expect(controller.playerState == .playing)
        #expect(act(.seek, argument: 2_000_000) == .done)
        #expect(stage.factory.players[0].commands.contains { $0.hasPrefix("seek 2000000") })
        #expect(act(.stop) == .done)
        #expect(stage.sessions.last?.endReason == .stopped)
        #expect(stage.posted.suffix(2) == [.actionDone, .stop] || stage.posted.contains(.actionDone))
        controller.destroy()
    }

    @Test("of one that was not granted nothing is done, and it is told")
    func denied() {
        #expect(act(.pause, isGranted: false) == .denied)
        #expect(controller.playerState == .playing)
        #expect(stage.posted.suffix(2) == [.actionRequested, .actionDone])
        controller.destroy()
    }

    @Test("is stale after a later command of the user")
    func overtaken() throws {
        let trigger = try #require(stage.events.last?.sequence)
        controller.pause()
        controller.play()
        #expect(act(.pause, trigger: trigger) == .stale)
        #expect(controller.playerState == .playing)
        // Asked for with the user's command in view, it is done.
        #expect(act(.pause) == .done)
        controller.destroy()
    }

    @Test("is not stale after another action")
    func afterAnother() throws {
        let trigger = try #require(stage.events.last?.sequence)
        #expect(act(.pause, trigger: trigger) == .done)
        #expect(act(.play, trigger: trigger) == .done)
        #expect(controller.playerState == .playing)
        controller.destroy()
    }

    @Test("is stale after a source switch, which the new session tells")
    func switched() throws {
        let old = session
        let trigger = try #require(stage.events.last?.sequence)
        controller.configure(stage.model("/media/b.mp4"))
        #expect(act(.pause, session: old, trigger: trigger) == .stale)
        #expect(controller.playerState == .playing)
        #expect(outcomes.last?.session == session && session != old)
        controller.destroy()
    }

    @Test("does nothing once the session has ended or the controller is gone")
    func over() throws {
        let old = session
        let trigger = try #require(stage.events.last?.sequence)
        let request = ActionRequest(instance: "watcher", session: old, trigger: trigger, action: .play, argument: 0)
        controller.stop()
        controller.act(request, isGranted: true)
        // Commands are performed in their order: when this one is, that one has been.
        controller.destroy()
        controller.act(request, isGranted: true)
        #expect(controller.destroy().error != nil)
        #expect(stage.sessions.count == 1)
        #expect(!stage.posted.contains(.actionDone))
    }
}
