// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// How controllers get and lose players, the same under each strategy unless a test says otherwise.
@Suite("Controllers under a lifecycle strategy")
struct ControllerTests {
    @Test(
        "another source: the player comes back first, then one is asked for; destroying gives it up",
        arguments: Subject.all)
    func configure(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        test.controller.configure(test.model("/a"))
        test.controller.configure(test.model("/b"))
        #expect(test.controller.playerState == .playing)
        let counts = test.pool.counts
        switch subject.builtIn {
        case .default: #expect(counts.created == 2 && counts.destroyed == 1)
        case .reusePool: #expect(counts.created == 1 && counts.reused == 1)
        case .idScopedPool: #expect(counts.created == 2 && counts.idle == 1)
        case .singleton: #expect(counts.created == 1 && counts.hits == 1)
        }
        test.controller.destroy()
        #expect(test.pool.counts.destroyed == counts.destroyed + 1)
        #expect(test.stage.sessions.map(\.endReason) == [.switch, .destroy])
        test.end()
    }

    @Test(
        "where no player can be made the controller has none, and its former one is safe",
        arguments: Subject.all(.default, .idScopedPool))
    func configureFails(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        test.controller.configure(test.model("/a"))
        test.stage.factory.fail(from: 2)
        #expect(test.controller.configure(test.model("/b")).error?.code == .factoryFailed)
        #expect(test.controller.playerState == .error)
        #expect(test.controller.pause().error?.code == .noPlayer)
        #expect(test.pool.counts.active == 0 && test.pool.counts.created == 1)
        #expect(test.pool.counts.idle == (subject.builtIn == .idScopedPool ? 1 : 0))
        test.stage.factory.fail(from: .max)
        #expect(test.controller.configure(test.model("/a")) == .performed && test.controller.playerState == .playing)
        test.end()
    }

    @Test(
        "whose player is given up, or another's, ends its session, and its commands do nothing",
        arguments: Subject.all(.idScopedPool, .singleton))
    func lost(_ subject: Subject) throws {
        let test = try ControllerStage(subject, max: 1)
        let other = test.makeController()
        test.controller.configure(test.model("/a"))
        other.configure(test.model("/b"))
        #expect(test.controller.playerState == .stopped && other.playerState == .playing)
        let reason: SessionRecord.EndReason = subject.builtIn == .singleton ? .takenOver : .evict
        #expect(test.stage.sessions.map(\.endReason) == [reason])
        let commands = test.players.map(\.commands)
        #expect(test.controller.pause().error?.code == .noPlayer)
        #expect(test.controller.seek(to: .zero).error?.code == .noPlayer)
        #expect(test.players.map(\.commands) == commands)
        test.end(other, isTaken: true)
    }

    // MARK: Public bug cases

    @Test("B34: swiping on leaves the window, and what plays is never given up", arguments: Subject.all)
    func swipes(_ subject: Subject) throws {
        let windows = ["window_behind": "2", "window_ahead": "2"]
        let test = try ControllerStage(subject, max: 5, subject.builtIn == .idScopedPool ? windows : [:])
        func item(_ number: Int) -> PlayerModel { test.model("/\(number)") }
        for number in 0..<40 {
            #expect(test.controller.configure(item(number)) == .performed)
            test.controller.announce(
                upcoming: [item(number + 1), item(number + 2)],
                behind: (1...2).map { number - $0 }.filter { $0 >= 0 }.map(item))
            #expect(test.controller.playerState == .playing)
            let held = test.pool.players.map(\.uniqueID)
            let isPrepared = subject.builtIn == .idScopedPool
            let window = isPrepared ? Array(max(0, number - 2)...number + 2) : [number]
            #expect(Set(held) == Set(window.map { item($0).videoSource.uniqueID }), "item \(number)")
            #expect(held.count == window.count, "item \(number)")
        }
        let counts = test.pool.counts
        #expect(counts.evictedActive == 0 && counts.overCapacity == 0 && counts.rejected.isEmpty)
        switch subject.builtIn {
        case .default: #expect(counts.created == 40 && counts.destroyed == 39)
        case .reusePool: #expect(counts.created == 1 && counts.reused == 39)
        case .idScopedPool, .singleton: #expect(counts.hits == 39)
        }
        test.controller.destroy()
        test.pool.relieve(.critical)
        #expect(Patience.wait { test.players.allSatisfy(\.isDestroyed) })
        test.end()
    }

    @Test("B37: what becomes prepared in the background does not play before the foreground", arguments: Subject.all)
    func background(_ subject: Subject) throws {
        let test = try ControllerStage(subject, script: FakePlayerScript(preparesAtOnce: false))
        // On a new player, then on the next one, new or not.
        for path in ["/a", "/b", "/a"] {
            test.controller.configure(test.model(path))
            test.controller.onPause()
            let player = try #require(test.players.last { $0.state == .preparing })
            player.finishPreparing()
            #expect(test.controller.playerState == .prepared && player.state == .prepared)
            test.controller.onResume()
            #expect(test.controller.playerState == .playing)
        }
        #expect(test.stage.events.count { $0.type == .firstVideoFrame } == 3)
        test.end()
    }

    @Test("B45: an owner's settings are in force on whichever player it gets, and no other's", arguments: Subject.all)
    func settings(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        let next = test.makeController()
        test.controller.setMuted(true)
        test.controller.setRate(1.5)
        test.controller.setLoop(.forever)
        next.setVolume(0.75)
        test.controller.configure(test.model("/a"))
        #expect(test.players[0].settings == test.controller.settings)
        // Its player comes back and is the next owner's, where it is kept.
        let third = test.makeController()
        third.configure(test.model("/c"))
        test.controller.borrow(from: third)
        next.configure(test.model("/a"))
        let player = try #require(test.players.last { $0.model?.videoSource == .url("/a") && !$0.isDestroyed })
        #expect(player.settings == next.settings && next.settings.volume == 0.75 && !next.settings.isMuted)
        #expect(next.playerState == .playing && test.controller.settings.isMuted)
        #expect(test.players.count == (subject.builtIn == .default ? 3 : subject.builtIn == .singleton ? 1 : 2))
        test.end(next, third, isTaken: subject.builtIn == .singleton)
    }

    @Test("B46: two pages are two states, on one player or on two", arguments: Subject.all)
    func pages(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        let other = test.makeController()
        test.controller.configure(test.model("/a"))
        other.configure(test.model("/b", autoPlay: false))
        let isShared = subject.builtIn == .singleton
        #expect(test.players.count == (isShared ? 1 : 2))
        #expect(test.controller.playerState == (isShared ? .stopped : .playing) && other.playerState == .prepared)
        test.controller.pause()
        test.controller.setRate(2)
        test.controller.stop()
        #expect(other.playerState == .prepared && other.rate == 1)
        #expect(test.players.last?.settings.rate == 1)
        other.play()
        #expect(other.playerState == .playing && test.controller.playerState == .stopped)
        #expect(test.sessions(of: other).isEmpty && test.sessions(of: test.controller).count == 1)
        #expect(test.controller.playerModel?.videoSource == .url("/a"))
        #expect(other.playerModel?.videoSource == .url("/b"))
        test.end(other, isTaken: isShared)
    }

    @Test("B47: to the detail page and back is one playback, and a late detach nothing", arguments: Subject.all)
    func detail(_ subject: Subject) throws {
        let test = try ControllerStage(subject)
        let detail = test.makeController()
        test.controller.setMuted(true)
        test.controller.configure(test.model("/a"))
        let player = test.players[0]
        #expect(detail.borrow(from: test.controller) == .performed)
        #expect(detail.playerState == .playing && !player.settings.isMuted)
        #expect(detail.returnPlayer() == .performed)
        #expect(Patience.wait { test.controller.playerState == .playing && player.settings.isMuted })
        let commands = player.commands
        #expect(detail.returnPlayer().error?.code == .noPlayer)
        detail.destroy()
        #expect(player.commands == commands && test.controller.playerState == .playing)
        #expect(commands.count { ["setDataSource", "prepare", "stop"].contains($0) } == 2)
        #expect(test.players.count == 1 && test.pool.counts.created == 1)
        let sessions = test.sessions(of: test.controller) + test.sessions(of: detail)
        #expect(sessions.map(\.endReason) == [.takenOver, .takenOver])
        test.end()
    }
}
