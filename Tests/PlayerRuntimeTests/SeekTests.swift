// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("A seek")
struct SeekTests {
    static let target = MediaTime(microseconds: 2_000_000)

    @Test("goes to the player, is told from its begin to its end, and its position is the newest")
    func plain() {
        let stage = FakeStage(script: FakePlayerScript(arrivesAtOnce: false))
        let controller = PlayerController(environment: stage.environment)
        let delegate = CapturingDelegate()
        controller.addNotificationDelegate(delegate)
        controller.configure(stage.model())
        controller.seek(to: SeekTests.target, mode: .keyframe)
        stage.deliver()
        #expect(controller.stateStore.snapshot.isSeeking && !delegate.journal.lines.contains("seek 2000000"))
        stage.factory.players[0].arrive()
        stage.deliver()
        #expect(!controller.stateStore.snapshot.isSeeking && controller.stateStore.currentPosition == SeekTests.target)
        #expect(delegate.journal.lines.last == "seek 2000000")
        #expect(stage.factory.players[0].commands.last == "seek 2000000 keyframe")
        controller.destroy()
        #expect(stage.sessions.map(\.seeks.completed) == [1])
    }

    @Test("is superseded by the next, and only the last arrives")
    func superseded() {
        let stage = FakeStage(script: FakePlayerScript(arrivesAtOnce: false))
        let controller = PlayerController(environment: stage.environment)
        let delegate = CapturingDelegate()
        controller.addNotificationDelegate(delegate)
        controller.configure(stage.model())
        for second: Int64 in 1...3 { controller.seek(to: MediaTime(microseconds: second * 1_000_000)) }
        stage.factory.players[0].arrive()
        stage.deliver()
        #expect(delegate.journal.lines.filter { $0.hasPrefix("seek") } == ["seek 3000000"])
        controller.destroy()
        let seeks = stage.sessions[0].seeks
        #expect(seeks.requested == 3 && seeks.superseded == 2 && seeks.completed == 1 && seeks.latencies.count == 1)
    }

    @Test("B02: before the source is prepared it is where playback starts, and makes the join no figure")
    func early() {
        let stage = FakeStage(script: FakePlayerScript(preparesAtOnce: false))
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        #expect(controller.seek(to: SeekTests.target) == .performed)
        stage.factory.players[0].finishPreparing()
        #expect(controller.currentPosition == SeekTests.target && controller.playerState == .playing)
        controller.destroy()
        #expect(stage.sessions[0].joinInvalid == .seek && stage.sessions[0].join == nil)
        #expect(stage.sessions[0].seeks.completed == 1)
    }

    enum End: CaseIterable {
        case completed, stopped, stoppedPaused, until, previewEnd
    }

    @Test(
        "after the end opens the next session at its target, which plays if that was the wish", arguments: End.allCases)
    func afterTheEnd(_ end: End) {
        let stage = FakeStage()
        let controller = PlayerController(environment: stage.environment)
        var model = stage.model()
        model.startTime = MediaTime(microseconds: 500_000)
        controller.configure(model)
        let player = stage.factory.players[0]
        switch end {
        case .completed: player.complete()
        case .stopped: controller.stop()
        case .stoppedPaused:
            controller.pause()
            controller.stop()
        case .until: player.end(.until)
        case .previewEnd: player.end(.previewEnd)
        }
        let told = player.commands.count
        #expect(controller.seek(to: SeekTests.target) == .performed)
        let plays = end != .stoppedPaused
        let expected = ["stop", "setDataSource", "apply", "prepare", "seek 2000000 exact"] + (plays ? ["start"] : [])
        #expect(Array(player.commands.dropFirst(told)) == expected)
        #expect(player.model?.startTime == nil && controller.playerModel?.startTime != nil)
        #expect(controller.playerState == (plays ? .playing : .prepared))
        #expect(controller.currentPosition == SeekTests.target)
        controller.destroy()
        let requests = stage.events.filter { $0.type == .request }
        #expect(requests.map { $0.value(3) } == [nil, 1])
        let reason: SessionRecord.EndReason =
            switch end {
            case .completed: .completed
            case .stopped, .stoppedPaused: .stopped
            case .until: .until
            case .previewEnd: .previewEnd
            }
        #expect(stage.sessions.map(\.endReason) == [reason, .destroy])
        #expect(stage.sessions[1].outcome == (plays ? .partial : .notAnAttempt))
    }

    @Test("that the player cannot do is told as no arrival, and is over")
    func failed() {
        let stage = FakeStage(script: FakePlayerScript(arrivesAtOnce: false))
        let controller = PlayerController(environment: stage.environment)
        let delegate = CapturingDelegate()
        controller.addNotificationDelegate(delegate)
        controller.configure(stage.model())
        controller.seek(to: SeekTests.target)
        stage.factory.players[0].post(.seekFailed("the source cannot be seeked"))
        stage.deliver()
        #expect(!controller.stateStore.snapshot.isSeeking)
        #expect(!delegate.journal.lines.contains { $0.hasPrefix("seek") })
        controller.destroy()
        #expect(stage.sessions[0].seeks.failed == 1)
    }
}
