// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("Notifications")
struct NotificationTests {
    let stage = FakeStage()

    @Test("tell a playback from its beginning to its end")
    func playback() {
        let controller = PlayerController(environment: stage.environment)
        let delegate = CapturingDelegate()
        controller.addNotificationDelegate(delegate)
        controller.configure(stage.model())
        let player = stage.factory.players[0]
        player.post(.videoSize(width: 640, height: 360))
        player.post(.videoSize(width: 640, height: 360))
        player.post(.loadingBegin(cause: .network))
        player.post(.loadingProgress(40))
        player.post(.loadingEnd)
        stage.deliver()
        player.post(.position(MediaTime(microseconds: 7), buffered: nil))
        player.complete()
        stage.deliver()
        #expect(
            delegate.journal.lines == [
                "state preparing", "tracks [0, 1, 2, 3]", "prepared 5000000", "state prepared", "state playing",
                "first frame", "size 640x360",
                "loading begin", "loading 40", "loading end", "position 7", "state completed", "completion",
            ])
        let snapshot = controller.stateStore.snapshot
        #expect(snapshot.playState == .completed && snapshot.videoWidth == 640 && !snapshot.isLoading)
        #expect(snapshot.currentPosition.microseconds == 7 && snapshot.bufferedPosition == nil)
        #expect(snapshot.session == SessionID(rawValue: 1) && snapshot.hasRenderedFirstFrame)
        controller.destroy()
    }

    @Test("tell a stop and an error as a state too, whatever the player posts about it")
    func ends() {
        let controller = PlayerController(environment: stage.environment)
        let delegate = CapturingDelegate()
        controller.addNotificationDelegate(delegate)
        controller.configure(stage.model())
        controller.stop()
        controller.play()
        stage.factory.players[0].fail(PlayerError(.readFailed, "x"))
        stage.deliver()
        #expect(delegate.journal.lines.filter { $0 == "state stopped" }.count == 1)
        #expect(delegate.journal.lines.suffix(2) == ["state error", "error io.read_failed"])
        controller.destroy()
    }

    @Test("go to delegates that are there, once each, and hold none of them")
    func delegates() {
        let controller = PlayerController(environment: stage.environment)
        let journal = Journal()
        let kept = CapturingDelegate()
        controller.addNotificationDelegate(kept)
        controller.addNotificationDelegate(kept)
        do {
            let gone = CapturingDelegate(journal: journal)
            controller.addNotificationDelegate(gone)
        }
        let removed = CapturingDelegate(journal: journal)
        controller.addNotificationDelegate(removed)
        controller.removeNotificationDelegate(removed)
        controller.configure(stage.model())
        stage.deliver()
        #expect(journal.lines.isEmpty)
        #expect(kept.journal.lines.filter { $0 == "first frame" }.count == 1)
        controller.destroy()
    }

    @Test("that nobody takes cost no memory and hold nobody up; positions are merged")
    func slow() {
        let queue = DispatchQueue(label: "test.suspended")
        let stage = FakeStage(deliveryQueue: queue)
        let controller = PlayerController(environment: stage.environment)
        let delegate = CapturingDelegate()
        controller.addNotificationDelegate(delegate)
        queue.suspend()
        controller.configure(stage.model())
        for number in 0..<5000 {
            stage.factory.players[0].post(.position(MediaTime(microseconds: Int64(number)), buffered: nil))
        }
        for _ in 0..<3000 {
            stage.factory.players[0].post(.loadingBegin(cause: .network))
            stage.factory.players[0].post(.loadingEnd)
        }
        stage.environment.dispatcher.barrier()
        queue.resume()
        queue.sync {}
        #expect(delegate.journal.lines.filter { $0.hasPrefix("position") } == ["position 4999"])
        #expect(delegate.journal.lines.count == 1024)
        controller.destroy()
    }

    @Test("as a stream hold every event until the controller is destroyed")
    func stream() async {
        let controller = PlayerController(environment: stage.environment)
        let events = controller.events
        let other = controller.events
        controller.configure(stage.model())
        stage.factory.players[0].complete()
        controller.destroy()
        var types: [EventType] = []
        for await event in events { types.append(event.type) }
        #expect(types == stage.events.map(\.type))
        var count = 0
        for await _ in other { count += 1 }
        #expect(count == types.count)
        for await _ in controller.events { Issue.record("a destroyed controller has no events") }
    }
}
