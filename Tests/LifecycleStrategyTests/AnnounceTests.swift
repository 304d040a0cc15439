// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginSupport
import Sessions
import TestSupport
import Testing

@Suite("What a controller announces")
struct AnnounceTests {
    let stage: FakeStage
    let pool: PlayerPool
    let controller: PlayerController

    init() throws { try self.init(script: FakePlayerScript()) }

    private init(script: FakePlayerScript) throws {
        stage = FakeStage(script: script)
        pool = PlayerPool(
            policy: try SwiftPolicy(.idScopedPool, maxPoolSize: 3, options: []), clock: stage.clock, log: stage.log)
        controller = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
    }

    private var players: [FakePlayer] { stage.factory.players }

    /// The events of the controller with the `number`th ID, without what the host adds.
    private func posted(by number: UInt32) -> [EventType] {
        stage.events.filter { $0.controller == ControllerID(rawValue: number) }.map(\.type)
            .filter { $0 != .tick && $0 != .sessionState }
    }

    private func session(of source: String) throws -> SessionRecord {
        try #require(stage.sessions.first { $0.source == source })
    }

    @Test(
        "is made ready, nearest first: the next with its first picture, others prepared, under controllers of their own"
    )
    func prepares() {
        controller.configure(stage.model("/a"))
        #expect(
            controller.announce(upcoming: [stage.model("/b"), stage.model("/c")], behind: [stage.model("/z")])
                == .performed)
        #expect(players.map(\.source) == [.url("/a"), .url("/b"), .url("/z")])
        #expect(players[1].commands == ["setDataSource", "prepare", "preview"])
        #expect(players[2].commands == ["setDataSource", "prepare"])
        #expect(
            posted(by: 2) == [
                .request, .detach, .state, .trackReady, .prepared, .rendition, .state, .firstVideoFrame,
            ])
        let state = stage.events.last { $0.type == .sessionState && $0.controller == ControllerID(rawValue: 2) }
        #expect(state?.value(0) == Int64(SessionState.preparedInBackground.rawValue))
        controller.destroy()
    }

    @Test("is gone on with by who configures it: nothing is set or prepared again")
    func hit() throws {
        controller.configure(stage.model("/a"))
        controller.announce(upcoming: [stage.model("/b")])
        stage.environment.dispatcher.barrier()
        stage.clock.advance(milliseconds: 5000)
        #expect(controller.configure(stage.model("/b")) == .performed)
        #expect(players.count == 2)
        #expect(
            players[1].commands == ["setDataSource", "prepare", "preview", "attach", "apply", "start"])
        #expect(controller.playerState == .playing)
        let request = try #require(stage.events.last { $0.type == .request })
        #expect(request.value(1) == 2 && request.value(2) == Int64(PlayerInstanceKind.preRendered.rawValue))
        let ahead = try session(of: "/b")
        #expect(ahead.endReason == .takenOver && ahead.outcome == .notAnAttempt)
        #expect(request.value(3) == Int64(ahead.session.rawValue))
        // The picture was there: the click is answered at once.
        controller.stop()
        let played = try #require(stage.sessions.last)
        #expect(played.outcome == .partial && played.clickToFrame == 0)
        controller.destroy()
        #expect(stage.environment.dispatcher.figures.lateEvents == 0)
    }

    @Test("is gone on with while it is still being prepared")
    func preparing() throws {
        let test = try AnnounceTests(script: FakePlayerScript(preparesAtOnce: false))
        test.controller.announce(upcoming: [test.stage.model("/b")])
        #expect(test.controller.configure(test.stage.model("/b")) == .performed)
        #expect(test.players[0].commands == ["setDataSource", "prepare", "preview", "attach", "apply", "start"])
        test.players[0].finishPreparing()
        #expect(test.controller.playerState == .playing)
        let request = try #require(test.stage.events.last { $0.type == .request })
        #expect(request.value(2) == Int64(PlayerInstanceKind.warm.rawValue))
        #expect(try test.session(of: "/b").endReason == .takenOver)
        test.controller.destroy()
    }

    @Test("is read ahead for who comes, or in vain", arguments: [true, false])
    func bytes(_ comes: Bool) throws {
        let test = try AnnounceTests(script: FakePlayerScript(preparesAtOnce: false))
        test.controller.announce(upcoming: [test.stage.model("/b")])
        test.players[0].post(.bytes(ByteCounts(read: 1000)))
        test.players[0].finishPreparing()
        test.players[0].post(.bytes(ByteCounts(read: 3000)))
        if comes { test.controller.configure(test.stage.model("/b")) } else { test.controller.announce(upcoming: []) }
        let ahead = try #require(test.stage.sessions.first)
        #expect(ahead.bytes.byPurpose == [comes ? .preload : .wastedPreload: 3000])
        test.controller.destroy()
    }

    @Test("and configured in another way is prepared anew: the same id, another revision or another beginning")
    func otherRevision() throws {
        controller.announce(upcoming: [stage.model("/b")])
        var model = stage.model("/b")
        model.startTime = MediaTime(microseconds: 1_000_000)
        #expect(controller.configure(model) == .performed)
        #expect(players.count == 1)
        #expect(!players[0].commands.contains("attach"))
        #expect(players[0].commands.count { $0 == "setDataSource" } == 2)
        #expect(try session(of: "/b").endReason == .evict)
        controller.destroy()
        #expect(stage.environment.dispatcher.figures.lateEvents == 0)
    }

    @Test("and not any more is given up: its player is stopped and idle, its session an evicted one")
    func cancelled() throws {
        controller.announce(upcoming: [stage.model("/b"), stage.model("/c")])
        controller.announce(upcoming: [stage.model("/c")])
        // What goes on is not begun again, and what is nearer now is brought further.
        #expect(players[1].commands == ["setDataSource", "prepare", "preview"])
        #expect(players[0].commands.suffix(3) == ["stop", "stop", "reset"])
        #expect(players[0].state == .idle)
        let ahead = try session(of: "/b")
        #expect(ahead.endReason == .evict && ahead.outcome == .notAnAttempt)
        #expect(pool.counts.idle == 2)
        #expect(controller.announce(upcoming: []) == .performed)
        #expect(players[1].state == .idle)
        controller.destroy()
        #expect(stage.environment.dispatcher.figures.lateEvents == 0)
    }

    @Test("is given up with its player when the pool needs room or is cleared")
    func evicted() throws {
        controller.announce(upcoming: [stage.model("/b"), stage.model("/c")])
        pool.clear()
        #expect(Patience.wait { players.allSatisfy(\.isDestroyed) })
        #expect(stage.sessions.map(\.endReason) == [.evict, .evict])
        controller.destroy()
    }

    @Test("is over with its pool")
    func poolGone() throws {
        let stage = FakeStage()
        var pool: PlayerPool? = PlayerPool(
            policy: try SwiftPolicy(.idScopedPool, maxPoolSize: 3, options: []), clock: stage.clock, log: stage.log)
        var controller: PlayerController? = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        controller?.announce(upcoming: [stage.model("/b")])
        controller?.destroy()
        (controller, pool) = (nil, nil)
        #expect(Patience.wait { stage.sessions.map(\.endReason) == [.destroy] })
    }

    @Test("and failed is tried again by the next announcement, or by who configures it")
    func failed() throws {
        let error = PlayerError(.readFailed, "as told")
        controller.announce(upcoming: [stage.model("/b")])
        players[0].fail(error)
        controller.announce(upcoming: [stage.model("/b")])
        #expect(players[0].commands.count { $0 == "prepare" } == 2)
        players[0].fail(error)
        #expect(controller.configure(stage.model("/b")) == .performed)
        #expect(players[0].commands.count { $0 == "prepare" } == 3)
        #expect(controller.playerState == .playing)
        #expect(stage.sessions.map(\.endReason) == [.error, .error])
        #expect(stage.sessions.map(\.outcome) == [.notAnAttempt, .notAnAttempt])
        controller.destroy()
    }

    @Test("in part lacks a source is refused as a whole; where no player can be made that is the result")
    func bad() {
        let result = controller.announce(upcoming: [stage.model("/b"), stage.model("")])
        #expect(result.error?.code == .invalidSource)
        #expect(players.isEmpty)
        stage.factory.fail(from: 2)
        #expect(controller.announce(upcoming: [stage.model("/b"), stage.model("/c")]).error?.code == .factoryFailed)
        #expect(players.count == 1 && players[0].state == .prepared)
        controller.destroy()
        #expect(controller.announce(upcoming: []).error?.code == .illegalState)
    }

    @Test("gives up nobody for a player that could not be made")
    func factoryFails() throws {
        // The pool is full of one idle player, which another item is to take the place of.
        let pool = PlayerPool(
            policy: try SwiftPolicy(.idScopedPool, maxPoolSize: 1, options: []), clock: stage.clock, log: stage.log)
        let controller = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        controller.announce(upcoming: [stage.model("/a")])
        #expect(pool.counts.idle == 1)
        stage.factory.fail(from: 2)
        #expect(controller.announce(upcoming: [stage.model("/b")]).error?.code == .factoryFailed)
        #expect(pool.counts.idle == 1 && pool.counts.evicted == 0)
        stage.factory.fail(from: .max)
        #expect(controller.announce(upcoming: [stage.model("/b")]).error == nil)
        #expect(pool.counts.idle == 1 && pool.counts.evicted == 1)
        controller.destroy()
    }

    @Test("is another's as well: whoever shares the pool goes on with it")
    func shared() throws {
        controller.announce(upcoming: [stage.model("/b")])
        let other = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        other.setMuted(true)
        other.configure(stage.model("/b", autoPlay: false))
        #expect(players.count == 1 && players[0].settings.isMuted)
        #expect(other.playerState == .prepared)
        other.play()
        #expect(other.playerState == .playing)
        other.destroy()
        controller.destroy()
    }

    @Test("B34: swiping on leaves the window, and what plays is never given up")
    func swipes() throws {
        let pool = PlayerPool(
            policy: try SwiftPolicy(
                .idScopedPool, maxPoolSize: 5, options: [("window_behind", .int(2)), ("window_ahead", .int(2))]),
            clock: stage.clock, log: stage.log)
        let controller = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        func item(_ number: Int) -> PlayerModel { stage.model("/\(number)") }
        for number in 0..<40 {
            #expect(controller.configure(item(number)) == .performed)
            controller.announce(
                upcoming: [item(number + 1), item(number + 2)],
                behind: (1...2).map { number - $0 }.filter { $0 >= 0 }.map(item))
            #expect(controller.playerState == .playing)
            let held = pool.players.map(\.uniqueID)
            let window = (max(0, number - 2)...number + 2).map {
                item($0).videoSource.uniqueID
            }
            #expect(Set(held) == Set(window) && held.count == window.count, "item \(number)")
        }
        let counts = pool.counts
        #expect(counts.evictedActive == 0 && counts.overCapacity == 0 && counts.rejected.isEmpty)
        #expect(counts.hits == 39)
        controller.destroy()
        pool.relieve(.critical)
        #expect(Patience.wait { players.allSatisfy(\.isDestroyed) })
        #expect(stage.environment.dispatcher.figures.lateEvents == 0)
    }
}
