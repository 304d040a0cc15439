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
                "state preparing", "tracks [0, 1, 2, 3, 4]", "prepared 5000000", "state prepared", "state playing",
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

    @Test("tell a change of track, and the store which tracks are played")
    func tracks() {
        let controller = PlayerController(environment: stage.environment)
        let delegate = CapturingDelegate()
        controller.addNotificationDelegate(delegate)
        #expect(controller.tracks.isEmpty && controller.bufferedPosition == nil)
        controller.configure(stage.model())
        #expect(controller.tracks == FakePlayer.tracks && controller.bufferedPosition == FakePlayer.length)
        stage.deliver()
        let before = controller.stateStore.snapshot
        #expect(before.tracks == FakePlayer.tracks && before.selectedVideoTrack?.index == 0)
        // There are two, and none was told.
        #expect(before.selectedAudioTrack == nil)
        controller.selectTrack(2)
        stage.deliver()
        #expect(controller.stateStore.snapshot.selectedAudioTrack?.index == 2)
        #expect(controller.stateStore.snapshot.selectedVideoTrack?.index == 0)
        #expect(delegate.journal.lines.suffix(1) == ["track 2 audio"])
        stage.factory.players[0].post(PlayerEvent(.trackChanged, values: [7, 0, 0, 0, 0, 0], text: "audio"))
        stage.deliver()
        #expect(delegate.journal.lines.suffix(1) == ["track 2 audio"])
        controller.destroy()
    }

    @Test("of the only track of a kind: it is the one that is played", arguments: [true, false])
    func onlyTrack(tracksComeFirst: Bool) {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        var media = MediaDescription(container: "fake")
        media.audio = AudioDescription(codec: "aac", sampleRate: 48_000, channels: 2)
        let tracks = [TrackInfo(index: 0, kind: .video, codec: "x"), TrackInfo(index: 5, kind: .audio, codec: "y")]
        let player = stage.factory.players[0]
        if tracksComeFirst { player.post(.trackReady(tracks)) }
        player.post(.prepared(media))
        if !tracksComeFirst { player.post(.trackReady(tracks)) }
        stage.deliver()
        #expect(controller.stateStore.snapshot.selectedAudioTrack?.index == 5)
        controller.destroy()
    }

    @Test("end a loading that the end of the session cuts", arguments: [true, false])
    func loadingIsCut(fails: Bool) {
        let controller = PlayerController(environment: stage.environment)
        let delegate = CapturingDelegate()
        controller.addNotificationDelegate(delegate)
        controller.configure(stage.model())
        let player = stage.factory.players[0]
        player.post(.loadingProgress(5))
        player.post(.loadingBegin(cause: .network))
        player.post(.loadingBegin(cause: .network))
        stage.deliver()
        #expect(controller.stateStore.snapshot.loadingProgress == 0)
        player.post(.loadingProgress(140))
        stage.deliver()
        #expect(controller.stateStore.snapshot.loadingProgress == 100)
        if fails { player.fail(PlayerError(.readFailed, "x")) } else { controller.stop() }
        stage.deliver()
        #expect(controller.stateStore.snapshot.loadingProgress == nil)
        let loading = delegate.journal.lines.filter { $0.hasPrefix("loading") }
        #expect(loading == ["loading begin", "loading 100", "loading end"])
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
        let log = Journal()
        stage.log.console = { log.note($0) }
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
        // Told although the queue does not come to it, and not for each.
        let told = log.lines.filter { $0.contains("notifications lost so far") }
        #expect((1...4).contains(told.count), "\(told)")
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
