// SPDX-License-Identifier: Apache-2.0

import CFirstFrame
import Glibc
import MediaCore
import PlayerKit

/// The engine in this process.
enum EngineBenchmark {
    /// What many players cost that do nothing.
    struct Idle: Encodable {
        var players: Int
        /// Resident memory of each; promised: under 50.
        var kibibytesEach: Double
        /// Promised: 0.
        var threads: Int

        /// - Parameter make: a player that does nothing any more.
        init(_ players: Int, _ make: () throws -> any MediaPlayer) throws {
            self.players = players
            let (threads, memory) = (Resources.threads, Resources.residentKibibytes)
            var made: [any MediaPlayer] = []
            made.reserveCapacity(players)
            for _ in 0..<players { made.append(try make()) }
            kibibytesEach = Double(Resources.residentKibibytes - memory) / Double(players)
            self.threads = Resources.threads - threads
            for player in made { player.destroy() }
        }
    }

    /// What is left behind by players that were opened, shown the first frame of, and destroyed. Promised: nothing.
    struct Cycles: Encodable {
        var cycles: Int
        var threads: Int
        var descriptors: Int
        /// Resident memory that each round of so many cycles added, after one to warm up: what is left behind shows in every round.
        var kibibytesByRound: [Int]
    }

    /// When pictures were presented, against when they were due.
    struct Jitter: Encodable {
        var frames: Int
        /// Promised: under 4.
        var p99Milliseconds: Double
        var worstMilliseconds: Double
        /// Left out because they were late; promised: 0.
        var late: Int64
    }

    /// From `prepare` to the first picture, beside the bare C path in this same process.
    static func firstFrame(_ arguments: Arguments) throws -> Comparison {
        try Comparison(runs: arguments.runs, promised: "at most 0.5") {
            let bare = try BarePlayer()
            defer { bare.player.destroy() }
            let start = MonotonicClock().now()
            try bare.play(arguments.clip)
            return Double(try bare.wait(for: .firstVideoFrame).time - start) / 1000
        } baseline: {
            let start = ContinuousClock.now
            guard first_frame(arguments.clip) == 0 else { throw Failure("the bare C path failed") }
            return (ContinuousClock.now - start) / .milliseconds(1)
        }
    }

    /// Players that have never had a source.
    static func created() throws -> Idle {
        try Idle(1000) { try PlayerKit.playerFactory.makePlayer() }
    }

    /// Players that have played and were stopped, as they wait in a pool.
    static func stopped(_ arguments: Arguments) throws -> Idle {
        let queue = EventQueue()
        func make() throws -> any MediaPlayer {
            let bare = try BarePlayer(queue: queue)
            try bare.play(arguments.clip)
            _ = try bare.wait(for: .firstVideoFrame)
            bare.player.stop()
            return bare.player
        }
        // The allocator takes what it will keep.
        for _ in 0..<200 { try make().destroy() }
        return try Idle(1000, make)
    }

    static func cycles(_ arguments: Arguments) throws -> Cycles {
        let count = 200
        func run() throws {
            for _ in 0..<count {
                let bare = try BarePlayer()
                try bare.play(arguments.clip)
                _ = try bare.wait(for: .firstVideoFrame)
                bare.player.destroy()
            }
        }
        try run()
        let (threads, descriptors) = (Resources.threads, Resources.descriptors)
        var memory = [Resources.residentKibibytes]
        for _ in 0..<5 {
            try run()
            memory.append(Resources.residentKibibytes)
        }
        return Cycles(
            cycles: count, threads: Resources.threads - threads, descriptors: Resources.descriptors - descriptors,
            kibibytesByRound: zip(memory, memory.dropFirst()).map { $1 - $0 })
    }

    static func jitter(_ arguments: Arguments) throws -> Jitter {
        let bare = try BarePlayer()
        defer { bare.player.destroy() }
        try bare.play(arguments.steadyClip)
        var moments: [EventTime] = []
        var counts = FrameCounts()
        _ = try bare.wait(for: .completed) { event in
            guard let now = event.frameCounts else { return }
            // One event may tell of several frames only where the player fell behind; that shows as lateness of the last.
            if now.presented > counts.presented { moments.append(event.time) }
            counts = now
        }
        guard moments.count > 10 else {
            throw Failure("only \(moments.count) frames of \(arguments.steadyClip) were told")
        }
        let offsets = moments.enumerated().map { index, moment in
            Double(moment - moments[0]) / 1000 - Double(index) * 1000 / Arguments.steadyFramesPerSecond
        }
        let middle = offsets.sorted()[offsets.count / 2]
        let deviations = offsets.map { abs($0 - middle) }.sorted()
        return Jitter(
            frames: moments.count, p99Milliseconds: deviations[deviations.count * 99 / 100],
            worstMilliseconds: deviations[deviations.count - 1], late: counts.droppedLate)
    }
}
