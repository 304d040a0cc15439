// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// Only `id-scoped-pool` makes anything ready.
@Suite("What a controller announces")
struct AnnounceTests {
    private static let preparers = Subject.all(.idScopedPool)

    @Test(
        "is made ready, nearest first: the next with its first picture, others prepared, under controllers of their own",
        arguments: preparers)
    func prepares(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        test.controller.configure(test.model("/a"))
        #expect(
            test.controller.announce(upcoming: [test.model("/b"), test.model("/c")], behind: [test.model("/z")])
                == .performed)
        #expect(test.players.map(\.source) == [.url("/a"), .url("/b"), .url("/z")])
        #expect(test.players[1].commands == ["setDataSource", "prepare", "preview"])
        #expect(test.players[2].commands == ["setDataSource", "prepare"])
        #expect(
            test.posted(by: 2) == [
                .request, .detach, .state, .trackReady, .prepared, .rendition, .state, .firstVideoFrame,
            ])
        let state = test.stage.events.last { $0.type == .sessionState && $0.controller == ControllerID(rawValue: 2) }
        #expect(state?.value(0) == Int64(SessionState.preparedInBackground.rawValue))
        test.controller.destroy()
    }

    @Test("is gone on with by who configures it: nothing is set or prepared again", arguments: preparers)
    func hit(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        test.controller.configure(test.model("/a"))
        test.controller.announce(upcoming: [test.model("/b")])
        test.stage.environment.dispatcher.barrier()
        test.stage.clock.advance(milliseconds: 5000)
        #expect(test.controller.configure(test.model("/b")) == .performed)
        #expect(test.players.count == 2)
        #expect(
            test.players[1].commands == ["setDataSource", "prepare", "preview", "attach", "apply", "start"])
        #expect(test.controller.playerState == .playing)
        let request = try #require(test.stage.events.last { $0.type == .request })
        #expect(request.value(1) == 2 && request.value(2) == Int64(PlayerInstanceKind.preRendered.rawValue))
        let ahead = try test.session(of: "/b")
        #expect(ahead.endReason == .takenOver && ahead.outcome == .notAnAttempt)
        #expect(request.value(3) == Int64(ahead.session.rawValue))
        // The picture was there: the click is answered at once.
        test.controller.stop()
        let played = try #require(test.stage.sessions.last)
        #expect(played.outcome == .partial && played.clickToFrame == 0)
        test.controller.destroy()
        #expect(test.stage.environment.dispatcher.figures.lateEvents == 0)
    }

    @Test("is gone on with while it is still being prepared", arguments: preparers)
    func preparing(_ subject: Subject) throws {
        let test = try ControllerStage(subject, script: FakePlayerScript(preparesAtOnce: false))
        test.controller.announce(upcoming: [test.model("/b")])
        #expect(test.controller.configure(test.model("/b")) == .performed)
        #expect(test.players[0].commands == ["setDataSource", "prepare", "preview", "attach", "apply", "start"])
        test.players[0].finishPreparing()
        #expect(test.controller.playerState == .playing)
        let request = try #require(test.stage.events.last { $0.type == .request })
        #expect(request.value(2) == Int64(PlayerInstanceKind.warm.rawValue))
        #expect(try test.session(of: "/b").endReason == .takenOver)
        test.controller.destroy()
    }

    @Test("is read ahead for who comes, or in vain", arguments: preparers, [true, false])
    func bytes(_ subject: Subject, _ comes: Bool) throws {
        let test = try ControllerStage(subject, script: FakePlayerScript(preparesAtOnce: false))
        test.controller.announce(upcoming: [test.model("/b")])
        test.players[0].post(.bytes(ByteCounts(read: 1000)))
        test.players[0].finishPreparing()
        test.players[0].post(.bytes(ByteCounts(read: 3000)))
        if comes { test.controller.configure(test.model("/b")) } else { test.controller.announce(upcoming: []) }
        let ahead = try #require(test.stage.sessions.first)
        #expect(ahead.bytes.byPurpose == [comes ? .preload : .wastedPreload: 3000])
        test.controller.destroy()
    }

    @Test(
        "and configured in another way is prepared anew: the same id, another revision or another beginning",
        arguments: preparers)
    func otherRevision(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        test.controller.announce(upcoming: [test.model("/b")])
        var model = test.model("/b")
        model.startTime = MediaTime(microseconds: 1_000_000)
        #expect(test.controller.configure(model) == .performed)
        #expect(test.players.count == 1)
        #expect(!test.players[0].commands.contains("attach"))
        #expect(test.players[0].commands.count { $0 == "setDataSource" } == 2)
        #expect(try test.session(of: "/b").endReason == .evict)
        test.controller.destroy()
        #expect(test.stage.environment.dispatcher.figures.lateEvents == 0)
    }

    @Test(
        "and not any more is given up: its player is stopped and idle, its session an evicted one", arguments: preparers
    )
    func cancelled(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        test.controller.announce(upcoming: [test.model("/b"), test.model("/c")])
        test.controller.announce(upcoming: [test.model("/c")])
        // What goes on is not begun again, and what is nearer now is brought further.
        #expect(test.players[1].commands == ["setDataSource", "prepare", "preview"])
        #expect(test.players[0].commands.suffix(3) == ["stop", "stop", "reset"])
        #expect(test.players[0].state == .idle)
        let ahead = try test.session(of: "/b")
        #expect(ahead.endReason == .evict && ahead.outcome == .notAnAttempt)
        #expect(test.pool.counts.idle == 2)
        #expect(test.controller.announce(upcoming: []) == .performed)
        #expect(test.players[1].state == .idle)
        test.controller.destroy()
        #expect(test.stage.environment.dispatcher.figures.lateEvents == 0)
    }

    @Test("is given up with its player when the pool needs room or is cleared", arguments: preparers)
    func evicted(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        test.controller.announce(upcoming: [test.model("/b"), test.model("/c")])
        test.pool.clear()
        #expect(Patience.wait { test.players.allSatisfy(\.isDestroyed) })
        #expect(test.stage.sessions.map(\.endReason) == [.evict, .evict])
        test.controller.destroy()
    }

    @Test("is over with its pool", arguments: preparers)
    func poolGone(_ subject: Subject) throws {
        let stage = FakeStage()
        var pool: PlayerPool? = PlayerPool(policy: try subject.policy(), clock: stage.clock, log: stage.log)
        var controller: PlayerController? = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        controller?.announce(upcoming: [stage.model("/b")])
        controller?.destroy()
        (controller, pool) = (nil, nil)
        #expect(Patience.wait { stage.sessions.map(\.endReason) == [.destroy] })
    }

    @Test("and failed is tried again by the next announcement, or by who configures it", arguments: preparers)
    func failed(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        let error = PlayerError(.readFailed, "as told")
        test.controller.announce(upcoming: [test.model("/b")])
        test.players[0].fail(error)
        test.controller.announce(upcoming: [test.model("/b")])
        #expect(test.players[0].commands.count { $0 == "prepare" } == 2)
        test.players[0].fail(error)
        #expect(test.controller.configure(test.model("/b")) == .performed)
        #expect(test.players[0].commands.count { $0 == "prepare" } == 3)
        #expect(test.controller.playerState == .playing)
        #expect(test.stage.sessions.map(\.endReason) == [.error, .error])
        #expect(test.stage.sessions.map(\.outcome) == [.notAnAttempt, .notAnAttempt])
        test.controller.destroy()
    }

    @Test(
        "in part lacks a source is refused as a whole; where no player can be made that is the result",
        arguments: preparers)
    func bad(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        let result = test.controller.announce(upcoming: [test.model("/b"), test.model("")])
        #expect(result.error?.code == .invalidSource)
        #expect(test.players.isEmpty)
        test.stage.factory.fail(from: 2)
        #expect(test.controller.announce(upcoming: [test.model("/b"), test.model("/c")]).error?.code == .factoryFailed)
        #expect(test.players.count == 1 && test.players[0].state == .prepared)
        test.controller.destroy()
        #expect(test.controller.announce(upcoming: []).error?.code == .illegalState)
    }

    @Test("gives up nobody for a player that could not be made", arguments: preparers)
    func factoryFails(_ subject: Subject) throws {
        // The pool is full of one idle player, which another item is to take the place of.
        let test = try ControllerStage(subject, max: 1)
        test.controller.announce(upcoming: [test.model("/a")])
        #expect(test.pool.counts.idle == 1)
        test.stage.factory.fail(from: 2)
        #expect(test.controller.announce(upcoming: [test.model("/b")]).error?.code == .factoryFailed)
        #expect(test.pool.counts.idle == 1 && test.pool.counts.evicted == 0)
        test.stage.factory.fail(from: .max)
        #expect(test.controller.announce(upcoming: [test.model("/b")]).error == nil)
        #expect(test.pool.counts.idle == 1 && test.pool.counts.evicted == 1)
        test.controller.destroy()
    }

    @Test("is another's as well: whoever shares the pool goes on with it", arguments: preparers)
    func shared(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        test.controller.announce(upcoming: [test.model("/b")])
        let other = test.makeController()
        other.setMuted(true)
        other.configure(test.model("/b", autoPlay: false))
        #expect(test.players.count == 1 && test.players[0].settings.isMuted)
        #expect(other.playerState == .prepared)
        other.play()
        #expect(other.playerState == .playing)
        other.destroy()
        test.controller.destroy()
    }
}
