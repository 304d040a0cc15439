// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("Where the last use of an id ended")
struct ResumeTests {
    private static let binders = Subject.all(.idScopedPool, .singleton)
    private let place = MediaTime(microseconds: 2_000_000)

    @Test("is told to whoever asks for the id again; the player itself keeps nothing", arguments: binders)
    func givenBack(_ subject: Subject) throws {
        let stage = try subject.stage()
        let first = try stage.acquire("A", revision: 7)
        #expect(first.resume == nil)
        try stage.play(first, from: 2000)
        stage.pool.recyclePlayer(first)
        #expect(first.player.currentPosition == .zero)
        #expect(try stage.acquire("B").resume == nil)
        #expect(try stage.acquire("A").resume == ResumePoint(position: place, sourceRevision: 7))
    }

    @Test("is that of a use that was taken over", arguments: binders)
    func takenOver(_ subject: Subject) throws {
        let stage = try subject.stage()
        let first = try stage.acquire("A", revision: 7)
        try stage.play(first, from: 2000)
        #expect(try stage.acquire("A", revision: 8).resume == ResumePoint(position: place, sourceRevision: 7))
    }

    @Test("outlasts the player that was evicted", arguments: Subject.all(.idScopedPool))
    func evicted(_ subject: Subject) throws {
        let stage = try subject.stage(max: 1)
        let first = try stage.acquire("A")
        try stage.play(first, from: 2000)
        _ = try stage.acquire("B")
        let again = try stage.acquire("A")
        #expect(again.origin == .created && again.resume?.position == place)
    }

    @Test("is not known of what ended, was never prepared, was forced out or was cleared", arguments: binders)
    func forgotten(_ subject: Subject) throws {
        let stage = try subject.stage()
        func use(_ body: (PlayerLease) throws -> Void) throws -> ResumePoint? {
            let lease = try stage.acquire("A")
            try stage.play(lease, from: 2000)
            try body(lease)
            let again = try stage.acquire("A")
            defer { stage.pool.recyclePlayer(again, force: true) }
            return again.resume
        }
        #expect(try use { stage.pool.recyclePlayer($0) } != nil)
        #expect(
            try use {
                try #require($0.player as? FakePlayer).complete()
                stage.pool.recyclePlayer($0)
            } == nil)
        #expect(try use { stage.pool.recyclePlayer($0, force: true) } == nil)
        #expect(
            try use {
                stage.pool.recyclePlayer($0)
                stage.pool.clear()
            } == nil)
        let unprepared = try stage.acquire("C")
        stage.pool.recyclePlayer(unprepared)
        #expect(try stage.acquire("C").resume == nil)
    }

    @Test("is not kept by strategies that bind no ids", arguments: Subject.all(.default, .reusePool))
    func others(_ subject: Subject) throws {
        let stage = try subject.stage()
        let lease = try stage.acquire("A")
        try stage.play(lease, from: 2000)
        stage.pool.recyclePlayer(lease)
        #expect(try stage.acquire("A").resume == nil)
    }

    @Test("is remembered of a bounded number of ids, the newest", arguments: Subject.all(.singleton))
    func bounded(_ subject: Subject) throws {
        let stage = try subject.stage()
        for number in 0...256 {
            let lease = try stage.acquire("\(number)")
            try stage.play(lease, from: 2000)
            stage.pool.recyclePlayer(lease)
        }
        #expect(try stage.acquire("0").resume == nil)
        #expect(try stage.acquire("1").resume?.position == place)
    }

    @Test("is where the same video goes on under a new address, and only then")
    func refresh() throws {
        let stage = FakeStage()
        let pool = PlayerPool(
            policy: try SwiftPolicy(.idScopedPool, maxPoolSize: 3, options: []), clock: stage.clock, log: stage.log)
        let controller = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        func play(_ address: String, from start: MediaTime? = nil) -> MediaTime? {
            var model = stage.model(address)
            model.startTime = start
            controller.configure(model)
            defer { controller.seek(to: place) }
            return stage.factory.players[0].model?.startTime
        }
        #expect(play("https://a.example/v.mp4?sign=1") == nil)
        // The same again is another viewing; it can be asked for.
        #expect(play("https://a.example/v.mp4?sign=1") == nil)
        #expect(controller.resumePosition == place)
        #expect(play("https://a.example/v.mp4?sign=2") == place)
        #expect(play("https://a.example/v.mp4?sign=3", from: .zero) == .zero)
        #expect(stage.factory.players.count == 1 && pool.counts.hits == 3)
        controller.destroy()
    }
}
