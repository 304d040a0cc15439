// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("A player that changes hands between controllers")
struct BorrowTests {
    let stage: FakeStage
    let pool: PlayerPool
    let list: PlayerController
    let detail: PlayerController

    init() { self.init(script: FakePlayerScript()) }

    private init(script: FakePlayerScript) {
        stage = FakeStage(script: script)
        pool = PlayerPool(policy: FakePolicy.reuse(), clock: stage.clock, log: stage.log)
        list = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        detail = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
    }

    private var player: FakePlayer { stage.factory.players[0] }

    /// Waits until a controller has a player again: it comes back on the controller's own time.
    private func hasPlayer(_ controller: PlayerController, _ state: PlayerState) -> Bool {
        Patience.wait { controller.playerState == state }
    }

    private func sessions(of controller: PlayerController) -> [SessionRecord] {
        stage.sessions.filter { $0.controller == controller.id }
    }

    private func end() {
        detail.destroy()
        list.destroy()
        #expect(pool.counts.active == 0 && pool.counts.rejected.isEmpty)
        #expect(stage.environment.dispatcher.figures.lateEvents == 0)
    }

    @Test("goes there and back: nothing is opened again, each side has its settings, the sessions sum to the whole")
    func roundTrip() throws {
        list.setMuted(true)
        list.setRate(1.5)
        list.configure(stage.model())
        for _ in 0..<4 { player.showFrame() }
        stage.clock.advance(milliseconds: 1000)
        #expect(detail.borrow(from: list) == .performed)
        #expect(stage.factory.players.count == 1)
        #expect(detail.playerState == .playing && list.playerState == .stopped)
        #expect(player.settings == PlaybackSettings())
        #expect(detail.playerModel?.videoSource == .url("/media/a.mp4"))
        for _ in 0..<3 { player.showFrame() }
        stage.clock.advance(milliseconds: 2000)
        #expect(detail.returnPlayer() == .performed)
        #expect(hasPlayer(list, .playing))
        #expect(Patience.wait { player.settings.isMuted && player.settings.rate == 1.5 })
        #expect(detail.playerState == .stopped && detail.pause().error?.code == .noPlayer)
        for _ in 0..<2 { player.showFrame() }
        stage.clock.advance(milliseconds: 500)
        list.stop()
        #expect(player.commands.count { $0 == "setDataSource" || $0 == "prepare" } == 2)
        let (mine, its) = (sessions(of: list), sessions(of: detail))
        #expect(mine.map(\.endReason) == [.takenOver, .stopped] && its.map(\.endReason) == [.takenOver])
        let all = [mine[0], its[0], mine[1]]
        #expect(all.map(\.frames.presented) == [5, 3, 2])
        #expect(all.map(\.elapsed) == [1_000_000, 2_000_000, 500_000])
        #expect(
            all.allSatisfy { $0.outcome == .partial && $0.instance == ($0.session == mine[0].session ? .cold : .warm) })
        #expect(its[0].continuedFrom == mine[0].session && mine[1].continuedFrom == its[0].session)
        end()
    }

    @Test("stays paused, and what is still being prepared goes on being prepared")
    func pausedAndPreparing() {
        list.configure(stage.model())
        list.pause()
        detail.borrow(from: list)
        #expect(detail.playerState == .paused)
        detail.returnPlayer()
        #expect(hasPlayer(list, .paused))
        end()
        let test = BorrowTests(script: FakePlayerScript(preparesAtOnce: false))
        test.list.configure(test.stage.model())
        test.detail.borrow(from: test.list)
        test.player.finishPreparing()
        #expect(test.detail.playerState == .playing)
        test.end()
    }

    @Test("comes back as the borrower left it, also while it is still being prepared", arguments: [true, false])
    func wish(pauses: Bool) {
        let test = BorrowTests(script: FakePlayerScript(preparesAtOnce: false))
        test.list.configure(test.stage.model(autoPlay: pauses))
        test.detail.borrow(from: test.list)
        if pauses { test.detail.pause() } else { test.detail.play() }
        test.detail.returnPlayer()
        #expect(hasPlayer(test.list, .preparing))
        // Its commands are performed in their order, so it has been taken up.
        test.list.setVolume(0.5)
        test.player.finishPreparing()
        #expect(test.list.playerState == (pauses ? .prepared : .playing))
        test.end()
    }

    @Test("is taken back by who lent it and wants to play: the borrower is told and has no player")
    func reclaim() {
        list.configure(stage.model())
        detail.borrow(from: list)
        #expect(list.pause().error?.code == .noPlayer)
        detail.pause()
        #expect(list.play() == .performed)
        #expect(list.playerState == .playing && detail.playerState == .stopped)
        #expect(sessions(of: detail).map(\.endReason) == [.takenOver])
        // A stale owner comes late.
        #expect(detail.returnPlayer().error?.code == .noPlayer)
        #expect(list.playerState == .playing)
        end()
    }

    @Test("outlives either side: the borrower plays on without the lender, the lender goes on after the borrower")
    func eitherSideGone() {
        list.configure(stage.model())
        detail.borrow(from: list)
        list.destroy()
        #expect(detail.playerState == .playing)
        #expect(detail.returnPlayer() == .performed)
        #expect(sessions(of: detail).map(\.endReason) == [.stopped])
        end()
        let test = BorrowTests()
        test.list.configure(test.stage.model())
        test.detail.borrow(from: test.list)
        test.detail.destroy()
        #expect(test.hasPlayer(test.list, .playing))
        #expect(test.sessions(of: test.detail).map(\.endReason) == [.takenOver])
        test.end()
    }

    @Test("goes on from hand to hand, and one in the middle may leave")
    func chain() {
        let third = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        list.configure(stage.model())
        detail.borrow(from: list)
        third.borrow(from: detail)
        detail.configure(stage.model("/b"))
        #expect(third.playerState == .playing && player.source == .url("/media/a.mp4"))
        third.returnPlayer()
        #expect(hasPlayer(list, .playing))
        third.destroy()
        end()
    }

    @Test("is lost to nobody when it is lent, returned and taken back from several threads at once")
    func storm() {
        for _ in 0..<60 {
            let test = BorrowTests()
            let others = (0..<3).map { _ in
                PlayerController(environment: test.stage.environment, lifecycleStrategy: test.pool)
            }
            test.list.configure(test.stage.model())
            DispatchQueue.concurrentPerform(iterations: 4) { index in
                for _ in 0..<6 {
                    if index == 3 {
                        test.list.play()
                    } else {
                        others[index].borrow(from: test.list)
                        others[index].returnPlayer()
                    }
                }
            }
            // Whoever has it: the list can have it back.
            #expect(Patience.wait { test.list.play() == .performed && test.list.playerState == .playing })
            for controller in others + [test.detail, test.list] { controller.destroy() }
            #expect(test.pool.counts.active == 0)
            #expect(test.stage.sessions.allSatisfy { $0.endReason != nil })
        }
    }

    @Test(
        "tells the session that was lent its end before that of the same controller begins anew",
        arguments: [true, false])
    func bounce(preparesAtOnce: Bool) {
        let test = BorrowTests(script: FakePlayerScript(preparesAtOnce: preparesAtOnce))
        for _ in 0..<4 {
            test.list.configure(test.stage.model())
            test.detail.borrow(from: test.list)
            test.detail.returnPlayer()
        }
        #expect(Patience.wait { test.list.playerState == (preparesAtOnce ? .playing : .preparing) })
        test.detail.destroy()
        test.list.destroy()
        let lent = test.sessions(of: test.list).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        #expect(lent.count == 4 && lent.allSatisfy { $0.endReason == .takenOver })
        #expect(test.stage.environment.dispatcher.figures.lateEvents == 0)
    }

    @Test("that has ended or failed is borrowed as it is, and play starts it anew", arguments: [true, false])
    func over(_ fails: Bool) {
        list.configure(stage.model())
        if fails { player.fail(PlayerError(.readFailed, "as told")) } else { player.complete() }
        #expect(detail.borrow(from: list) == .performed)
        #expect(sessions(of: detail).isEmpty)
        #expect(detail.play() == .performed)
        #expect(detail.playerState == .playing)
        detail.returnPlayer()
        #expect(hasPlayer(list, .playing))
        #expect(sessions(of: detail).map(\.endReason) == [.takenOver])
        end()
    }

    @Test("does not where there is none, none that was borrowed, or another pool")
    func refused() {
        #expect(detail.borrow(from: list).error?.code == .noPlayer)
        list.configure(stage.model())
        #expect(list.borrow(from: list).error?.code == .noPlayer)
        #expect(list.returnPlayer().error?.code == .illegalState)
        let stranger = PlayerController(environment: stage.environment)
        #expect(stranger.borrow(from: list).error?.code == .noPlayer)
        #expect(list.playerState == .playing)
        stranger.destroy()
        end()
        #expect(detail.borrow(from: list).error?.code == .illegalState)
    }
}
