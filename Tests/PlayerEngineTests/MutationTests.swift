// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Damaged files: whatever is wrong, a playback comes to an end, what it tells adds up, and nothing of it stays.
///
/// `scripts/fuzz.sh media` runs it for longer and from other seeds.
@Suite struct MutationTests {
    /// What is run: cases from a seed on, each with the next one and the next fixture, until the count or the time is reached.
    struct Plan: Codable, Sendable {
        var seed: UInt64
        /// Nil: every fixture five times, unless there is a time.
        var count: Int?
        var seconds: Int?
        /// Where a case is while it is run, and stays if it fails.
        var directory: String
    }

    private static func plan(in directory: String) -> Plan {
        func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
        return Plan(
            seed: UInt64(number("KIT_FUZZ_SEED") ?? 1), count: number("KIT_FUZZ_COUNT"),
            seconds: number("KIT_FUZZ_SECONDS"),
            directory: ProcessInfo.processInfo.environment["KIT_FUZZ_DIRECTORY"] ?? directory)
    }

    @Test func damagedFilesPlayOrFailTyped() async throws {
        let temporary = try TemporaryDirectory()
        let plan = MutationTests.plan(in: temporary.path)
        try FileManager.default.createDirectory(atPath: plan.directory, withIntermediateDirectories: true)
        let before = Set(try FileManager.default.contentsOfDirectory(atPath: plan.directory))
        await #expect(processExitsWith: .success) { [plan = plan as Plan] in
            try MutationTests.run(plan)
        }
        let kept = Set(try FileManager.default.contentsOfDirectory(atPath: plan.directory)).subtracting(before)
        #expect(
            kept.isEmpty, "to repeat one: scripts/fuzz.sh media --count 1 --seed NUMBER, the first part of its name")
    }

    // MARK: In a process of its own

    private static func run(_ plan: Plan) throws {
        let fixtures = try FileManager.default.contentsOfDirectory(atPath: Fixture.path("")).sorted()
        let contents = try fixtures.map { [UInt8](try Data(contentsOf: URL(filePath: Fixture.path($0)))) }
        // The first one starts what the process keeps.
        try PlayerRun().playToEnd(Fixture.path("clip.mp4"))
        let descriptors = LeakTests.descriptorCount
        let start = ContinuousClock.now
        let count = plan.count ?? (plan.seconds == nil ? 5 * fixtures.count : .max)
        let time = plan.seconds.map { Duration.seconds($0) }
        var (done, reached) = (0, [Int: Int]())
        while done < count, time.map({ ContinuousClock.now - start < $0 }) ?? true {
            let seed = plan.seed &+ UInt64(done)
            let index = Int(seed % UInt64(fixtures.count))
            var mutator = MediaMutator(seed: seed)
            let path = "\(plan.directory)/\(seed)-\(fixtures[index])"
            try Data(mutator.damage(contents[index])).write(to: URL(filePath: path))
            let faults = try play(path, seed: seed)
            for fault in faults { Issue.record("seed \(seed), \(fixtures[index]): \(fault)") }
            if faults.isEmpty { try FileManager.default.removeItem(atPath: path) }
            done += 1
            reached[index, default: 0] += 1
        }
        if plan.count == nil, plan.seconds == nil {
            let missed = fixtures.indices.filter { reached[$0, default: 0] < 5 }.map { fixtures[$0] }
            #expect(missed == [], "played less than five times")
        }
        LeakTests.expectNoMediaThreads()
        #expect(LeakTests.descriptorCount <= descriptors)
        print("\(done) damaged files played, seeds \(plan.seed) to \(plan.seed &+ UInt64(max(0, done - 1)))")
    }

    /// Longer than a playlist is waited for whose last line and target duration are damaged.
    private static let patience = Duration.seconds(60)

    /// Plays a file with some seeks on the way.
    ///
    /// - Returns: what does not add up.
    private static func play(_ path: String, seed: UInt64) throws -> [String] {
        var generator = SeededGenerator(seed: ~seed)
        let run = PlayerRun()
        try run.prepare(.url(path)) { model in
            model.configuration.decoderThreads = Int.random(in: 1...3, using: &generator)
            model.configuration.networkTimeout = .seconds(1)
        }
        let isOpened = run.wait(within: patience) { [.prepared, .error].contains($0.playerState) }
        guard isOpened else { return ["it was not opened in \(patience)"] }
        if Bool.random(using: &generator) { seek(run, &generator) }
        run.player.start()
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            run.collect(waitingUpTo: 1)
            seek(run, &generator)
        }
        var played = -1
        while !run.events.contains(where: { $0.playerState == .error || $0.playerState == .completed }) {
            if run.wait(within: patience, { $0.playerState == .error || $0.playerState == .completed }) { break }
            // Time stamps of hours are played for hours, even at this speed: what counts is that it goes on.
            guard run.count(.position) > played else { return ["it stands still; got \(run.names)"] }
            guard played < 0 else {
                run.player.stop()
                return run.player.state == .stopped ? [] : ["it does not stop"]
            }
            played = run.count(.position)
        }
        let faults = faults(of: run)
        run.player.destroy()
        return faults
    }

    private static func seek(_ run: PlayerRun, _ generator: inout SeededGenerator) {
        let target = MediaTime(microseconds: Int64.random(in: -1_000_000...8_000_000, using: &generator))
        run.player.seek(to: target, mode: Bool.random(using: &generator) ? .exact : .keyframe)
    }

    private static func faults(of run: PlayerRun) -> [String] {
        var faults: [String] = []
        func check(_ condition: Bool, _ what: String) {
            if !condition { faults.append("\(what); got \(run.names)") }
        }
        let states = run.states
        let isFailed = run.failures.contains(where: \.isFatal)
        check(states.first == .preparing, "the first state is \(states.first.map { "\($0)" } ?? "none")")
        check(states.count { [.completed, .error].contains($0) } == 1, "not one end in \(states)")
        check(states.last == (isFailed ? .error : .completed), "ends in \(states) with \(run.failures.count) failures")
        check(run.failures.count(where: \.isFatal) <= 1, "more than one fatal error")
        check(run.count(.prepared) <= 1, "prepared twice")
        check(run.count(.firstVideoFrame) <= 1, "two first pictures")
        check(run.count(.firstAudio) <= 1, "two first sounds")
        if let first = run.events.firstIndex(where: { $0.type == .firstVideoFrame }) {
            check(run.events[..<first].contains { $0.type == .prepared }, "a picture before prepared")
        }
        let ended = run.count(.seekEnd) + run.count(.seekFailed) + run.count(.seekSuperseded)
        let isAccounted = isFailed ? ended <= run.count(.seekBegin) : ended == run.count(.seekBegin)
        check(isAccounted, "\(run.count(.seekBegin)) seeks and \(ended) ends of some")
        check(run.count(.loadingEnd) <= run.count(.loadingBegin), "a loading ends that did not begin")
        let counts = run.counts
        check(counts.decoded >= counts.presented + counts.droppedLate, "more presented than decoded: \(counts)")
        return faults
    }
}
