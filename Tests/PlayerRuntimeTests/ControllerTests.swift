// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite("A player controller")
struct ControllerTests {
    let stage = FakeStage()

    private func pool(_ policy: FakePolicy?) -> PlayerPool {
        PlayerPool(policy: policy, clock: stage.clock, log: stage.log)
    }

    @Test("configure requests, wants to play, prepares and plays, in this order")
    func order() {
        let controller = PlayerController(environment: stage.environment)
        #expect(controller.playerState == .idle && controller.playerModel == nil)
        #expect(controller.configure(stage.model()) == .performed)
        #expect(
            stage.posted == [
                .request, .playIntent, .state, .trackReady, .prepared, .rendition, .state, .state, .firstVideoFrame,
            ])
        let request = stage.events[0]
        #expect(request.uniqueID == "file:/media/a.mp4" && request.source == "/media/a.mp4")
        #expect(request.value(1) == 1 && request.value(2) == Int64(PlayerInstanceKind.cold.rawValue))
        #expect(request.value(3) == nil)
        #expect(controller.playerState == .playing && controller.stateStore.playState == .playing)
        #expect(controller.duration?.microseconds == 5_000_000)
        controller.destroy()
        #expect(stage.sessions.map(\.endReason) == [.destroy])
    }

    @Test("without autoplay it prepares and waits for the wish to play")
    func autoplayOff() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model(autoPlay: false))
        #expect(controller.playerState == .prepared)
        #expect(!stage.posted.contains(.playIntent) && !stage.posted.contains(.firstVideoFrame))
        #expect(controller.play() == .performed)
        #expect(controller.play() == .performed)
        #expect(stage.posted.filter { $0 == .playIntent }.count == 1)
        #expect(controller.toggle() == .performed)
        #expect(controller.playerState == .paused)
        #expect(controller.toggle() == .performed)
        #expect(controller.playerState == .playing)
        #expect(
            stage.posted.filter { $0 == .playIntent || $0 == .pauseIntent } == [.playIntent, .pauseIntent, .playIntent])
        controller.destroy()
    }

    @Test("a wish is an event when it changes: to play while playing, to pause while paused posts nothing")
    func wishes() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        let playing = stage.posted
        #expect(controller.play() == .performed)
        #expect(stage.posted == playing)
        controller.pause()
        let paused = stage.posted
        #expect(controller.pause() == .performed)
        #expect(stage.posted == paused)
        #expect(paused.filter { $0 == .playIntent || $0 == .pauseIntent } == [.playIntent, .pauseIntent])
        controller.destroy()
    }

    @Test("two sources under a strategy that reuses have one player; the first session ends by the switch")
    func reuse() {
        let pool = pool(.reuse())
        let controller = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        controller.configure(stage.model("/a"))
        controller.configure(stage.model("/b"))
        #expect(pool.counts.created == 1 && pool.counts.reused == 1 && pool.counts.active == 1)
        let requests = stage.events.filter { $0.type == .request }
        #expect(requests.map { $0.value(2) } == [1, 2])
        #expect(requests.map(\.session.rawValue) == [1, 2])
        #expect(stage.sessions.map(\.endReason) == [.switch])
        #expect(stage.factory.players[0].source == .url("/b"))
        controller.destroy()
        #expect(pool.counts.destroyed == 1 && pool.counts.active == 0)
    }

    /// Takes each player away again before the one who asked for it has it.
    private final class Snatcher: PooledLifecycleStrategy {
        let pool: PlayerPool

        init(_ pool: PlayerPool) {
            self.pool = pool
        }

        func acquirePlayer(
            uniqueID: String, sourceKind: PoolRequest.SourceKind, sourceRevision: UInt64?,
            onChange: @escaping @Sendable (LeaseChange) -> Void
        ) throws(PlayerError) -> PlayerLease {
            let lease = try pool.acquirePlayer(
                uniqueID: uniqueID, sourceKind: sourceKind, sourceRevision: sourceRevision, onChange: onChange)
            onChange(.takenOver)
            return lease
        }
    }

    @Test("a player that is taken away before it is used fails the session and gets no command")
    func snatched() {
        let controller = PlayerController(
            environment: stage.environment, lifecycleStrategy: Snatcher(pool(.reuse())))
        guard case .failed(let error) = controller.configure(stage.model()) else {
            Issue.record("it was performed")
            return
        }
        #expect(error.code == .staleLease)
        #expect(stage.posted == [.request, .playIntent, .error])
        #expect(stage.sessions.map(\.endReason) == [.error])
        #expect(stage.factory.players.map(\.commands) == [[]])
        #expect(controller.playerState == .error && controller.currentPosition == .zero)
        controller.destroy()
    }

    @Test("a session that ends by a command holds the player's last counts, and its events come in order")
    func lastCounts() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        for _ in 0..<4 { stage.factory.players[0].showFrame() }
        #expect(controller.stop(.until) == .performed)
        #expect(stage.posted.suffix(2) == [.frames, .stop])
        #expect(stage.sessions[0].endReason == .until)
        #expect(stage.sessions[0].frames.presented == 5)
        #expect(controller.playerState == .stopped)
        #expect(stage.environment.dispatcher.figures.lateEvents == 0)
        if case .ignored(let error) = controller.stop() { #expect(error.code == .illegalState) } else { Issue.record() }
        controller.destroy()
        #expect(stage.sessions.count == 1)
    }

    @Test(
        "a player that ends where its model says ends the session, and play or replay starts anew",
        arguments: [StopReason.until, .previewEnd])
    func endsItself(_ reason: StopReason) {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        let player = stage.factory.players[0]
        for start in [{ controller.play() }, { controller.toggle() }, { controller.replay() }] {
            player.end(reason)
            #expect(controller.playerState == .stopped && controller.stop().error?.code == .illegalState)
            #expect(controller.pause().error?.code == .illegalState)
            #expect(start() == .performed && controller.playerState == .playing)
        }
        controller.destroy()
        let expected = reason == .until ? SessionRecord.EndReason.until : .previewEnd
        #expect(stage.sessions.map(\.endReason) == [expected, expected, expected, .destroy])
        #expect(stage.posted.filter { $0 == .stop }.count == 3)
        #expect(stage.events.filter { $0.type == .request }.map { $0.value(3) } == [nil, 1, 2, 3])
    }

    @Test("what a player posts after its session ended is dropped and counted, and nobody hears of it")
    func lateEvents() {
        let controller = PlayerController(environment: stage.environment)
        let monitor = FakeMonitor()
        controller.strategyManager.register(monitor)
        let delegate = CapturingDelegate()
        controller.addNotificationDelegate(delegate)
        controller.configure(stage.model())
        controller.stop()
        stage.deliver()
        let (heard, told) = (monitor.events.count, delegate.journal.lines.count)
        let player = stage.factory.players[0]
        player.post(.position(MediaTime(microseconds: 9), buffered: nil))
        player.post(.loadingBegin(cause: .network))
        player.post(.completed)
        stage.deliver()
        #expect(stage.environment.dispatcher.figures.lateEvents == 3)
        #expect(monitor.events.count == heard && delegate.journal.lines.count == told)
        #expect(controller.stateStore.playState == .stopped && !controller.stateStore.snapshot.isLoading)
        #expect(stage.sessions.map(\.endReason) == [.stopped])
        controller.destroy()
    }

    @Test("everybody hears the events in one order, whoever posts them")
    func oneOrder() async {
        let controller = PlayerController(environment: stage.environment)
        let monitor = FakeMonitor()
        controller.strategyManager.register(monitor)
        let stream = controller.events
        controller.configure(stage.model())
        let player = stage.factory.players[0]
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for round in 0..<50 {
                switch thread {
                case 0: player.post(.loadingBegin(cause: .network))
                case 1: player.post(.loadingEnd)
                case 2: controller.seek(to: MediaTime(microseconds: Int64(round)))
                default: controller.toggle()
                }
            }
        }
        controller.destroy()
        var streamed: [PlayerEvent] = []
        for await event in stream { streamed.append(event) }
        #expect(streamed == stage.events && streamed == monitor.events)
        #expect(streamed.map(\.sequence) == Array(1...UInt64(streamed.count)))
        #expect(zip(streamed, streamed.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("a failed acquire leaves no player, state error and a session that says so; the old player is safely pooled")
    func acquireFails() {
        let factory = stage.factory
        let policy = FakePolicy(maxPoolSize: 2) { request in
            switch request.kind {
            case .acquire(let id, _): id.hasSuffix("b") ? PoolDecision(.refuse) : PoolDecision(.create)
            default: PoolDecision(.keep)
            }
        }
        let pool = pool(policy)
        let controller = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        controller.configure(stage.model("/a"))
        let result = controller.configure(stage.model("/b"))
        #expect(result.error?.code == .poolRefused)
        stage.environment.dispatcher.barrier()
        #expect(controller.playerState == .error && controller.stateStore.snapshot.playState == .error)
        #expect(pool.counts.idle == 1 && pool.counts.active == 0)
        #expect(factory.players[0].commands.suffix(2) == ["stop", "reset"])
        #expect(stage.sessions.map(\.endReason) == [.switch, .error])
        #expect(controller.play().error?.code == .noPlayer)
        #expect(controller.configure(stage.model("/c")) == .performed)
        controller.destroy()
    }

    @Test("a source that the player does not take is a failed session")
    func dataSourceFails() {
        let stage = FakeStage(script: FakePlayerScript(dataSourceError: PlayerError(.illegalState, "no")))
        let controller = PlayerController(environment: stage.environment)
        #expect(controller.configure(stage.model()).error?.code == .illegalState)
        #expect(controller.playerState == .error)
        #expect(stage.environment.defaultPool.counts.active == 0)
        #expect(stage.sessions.map(\.endReason) == [.error])
        controller.destroy()
    }

    @Test("a source that lacks a part is refused and changes nothing")
    func invalidSource() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        #expect(controller.configure(stage.model("")).error?.code == .invalidSource)
        #expect(controller.playerState == .playing)
        #expect(stage.sessions.isEmpty)
        controller.destroy()
    }

    @Test("replay, and play after the end, is a new session on the same player that continues the last")
    func replay() {
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        controller.replay()
        stage.factory.players[0].complete()
        #expect(controller.playerState == .completed)
        controller.play()
        stage.factory.players[0].fail(PlayerError(.badData, "x"))
        controller.play()
        controller.stop()
        controller.play()
        #expect(stage.sessions.map(\.endReason) == [.switch, .completed, .error, .stopped])
        #expect(stage.events.filter { $0.type == .request }.map { $0.value(3) } == [nil, 1, 2, 3, 4])
        #expect(stage.factory.players.count == 1)
        controller.destroy()
    }

    @Test("commands without a player, and after destroy, are typed and do nothing")
    func noOps() {
        let controller = PlayerController(environment: stage.environment)
        for result in [
            controller.play(), controller.pause(), controller.toggle(), controller.replay(), controller.stop(),
        ] {
            guard case .ignored(let error) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(error.code == .noPlayer)
        }
        #expect(controller.destroy() == .performed)
        for result in [controller.play(), controller.configure(stage.model()), controller.destroy()] {
            guard case .ignored(let error) = result else {
                Issue.record("\(result)")
                continue
            }
            #expect(error.code == .illegalState)
        }
        #expect(stage.posted.isEmpty)
    }

    @Test("a player that is evicted or taken over ends the session, and later commands are typed errors")
    func evicted() {
        let policy = FakePolicy(takesOver: true) { request in
            guard case .acquire(let id, _) = request.kind else { return PoolDecision(.keep) }
            if id.hasSuffix("evict") { return PoolDecision(.create, evict: request.players.map(\.handle)) }
            return PoolDecision(request.players.first.map { .use($0.handle) } ?? .create)
        }
        let pool = pool(policy)
        let one = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        let two = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        one.configure(stage.model("/a"))
        two.configure(stage.model("/b"))
        #expect(stage.sessions.map(\.endReason) == [.takenOver])
        #expect(one.playerState == .stopped && two.playerState == .playing)
        #expect(one.pause().error?.code == .noPlayer)
        one.configure(stage.model("/evict"))
        #expect(stage.sessions.map(\.endReason) == [.takenOver, .evict])
        #expect(two.play().error?.code == .noPlayer)
        one.destroy()
        two.destroy()
        #expect(pool.counts.active == 0)
    }

    @Test("the player factory can be replaced and restored")
    func factories() {
        let controller = PlayerController(environment: stage.environment)
        let other = FakePlayerFactory()
        stage.environment.setPlayerFactory(other)
        controller.configure(stage.model())
        #expect(other.players.count == 1 && stage.factory.players.isEmpty)
        stage.environment.setPlayerFactory(nil)
        controller.configure(stage.model("/b"))
        #expect(stage.factory.players.count == 1)
        controller.destroy()
    }

    @Test("one that is let go without destroy is torn down")
    func letGo() {
        let journal = Journal()
        do {
            let controller = PlayerController(environment: stage.environment)
            controller.strategyManager.register(FakeMonitor("m", journal: journal))
            controller.configure(stage.model())
        }
        #expect(journal.wait(for: "m stop"))
        #expect(stage.sessions.map(\.endReason) == [.destroy])
        #expect(stage.factory.players[0].isDestroyed)
    }

    @Test("from many threads at once, commands are performed one at a time")
    func threads() {
        let controller = PlayerController(environment: stage.environment, lifecycleStrategy: pool(.reuse()))
        let stage = stage
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<50 {
                switch (thread + round) % 9 {
                case 0: controller.configure(stage.model("/\(thread)"))
                case 1: controller.toggle()
                case 2: controller.stop()
                case 3: controller.replay()
                case 4: controller.seek(to: MediaTime(microseconds: Int64(round)))
                case 5: controller.setRate(round.isMultiple(of: 2) ? 0.5 : 2)
                case 6: controller.onPause()
                case 7: controller.onResume()
                default: controller.play()
                }
            }
        }
        controller.destroy()
        let opened = stage.events.filter { $0.type == .request }.count
        #expect(stage.sessions.count == opened)
        // A player that is given a source while it is busy fails.
        #expect(stage.sessions.allSatisfy { $0.endReason != .error })
        #expect(controller.lifecycleStrategy.counts.active == 0)
    }
}
