// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import JSONText
import MediaCore
import PlayerKit
import PlayerRuntime
import PluginHost
import Sessions
import Synchronization
import TestSupport
import Testing

/// One failing plugin never affects the rest: eight monitors and two lifecycle strategies, of which most are brought down all the time, while
/// a file plays in real time.
///
/// Takes as long as it is told and wants the machine for itself: `make blast`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["KIT_BLAST_SECONDS"] != nil, "make blast"))
struct BlastRadiusTests {
    private static let monitors = 8
    private static let witnesses = 2
    /// A fault each so many milliseconds.
    private static let interval = 100
    /// Of the demo clip, seconds.
    private static let clip = 5

    /// The built-ins stay mapped, so their directory stays as long as the process.
    private static let builtins = Result {
        try StagedBuiltins("first-frame", "stutter-detect", "traffic-protection", "default")
    }

    /// On a busy machine a process may wait for its turn longer than a decision has.
    private static var deadlines: CallDeadlines {
        var deadlines = CallDeadlines()
        deadlines.decide = 250
        return deadlines
    }

    @Test func reachesNobodyElse() throws {
        let seconds = try #require(ProcessInfo.processInfo.environment["KIT_BLAST_SECONDS"].flatMap { Int($0) })
        let loops = max(1, seconds / BlastRadiusTests.clip)
        let directory = try TemporaryDirectory()
        let (alone, _) = try play(loops: loops, hashes: directory.file("alone"), isVirtualTime: true, plugins: [])

        let monitors = try (0..<BlastRadiusTests.monitors).map {
            try build("m\($0)", "KIT_KIND_MONITOR", in: directory)
        }
        let pools = try ["good", "bad"].map {
            try Pool(plugin: try build($0, "KIT_KIND_LIFECYCLE", in: directory), name: $0, catalog: try catalog())
        }
        let injector = FaultInjector(
            victims: Array(monitors.dropFirst(BlastRadiusTests.witnesses)) + [pools[1].path],
            milliseconds: BlastRadiusTests.interval)
        let threads = DispatchGroup()
        let queue = DispatchQueue(label: "blast", attributes: .concurrent)
        for pool in pools { queue.async(group: threads) { pool.run() } }
        queue.async(group: threads) { injector.run() }
        let posted = Mutex(0)
        let (blasted, report) = try play(
            loops: loops, hashes: directory.file("blasted"), isVirtualTime: false, plugins: monitors
        ) { _ in posted.withLock { $0 += 1 } }
        injector.stop()
        for pool in pools { pool.stop() }
        threads.wait()

        #expect(alone == blasted, "pictures are not those of a run without plugins")
        let session = try #require(report.sessions.first)
        let frames = session.record.frames
        #expect(frames.droppedLate == 0)
        let rows = Dictionary(grouping: report.strategies, by: \.name).compactMapValues(\.first)
        for number in 0..<BlastRadiusTests.witnesses {
            let row = try #require(rows["m\(number)"])
            #expect(row.faults.isEmpty && row.health == .running, "\(row.faults)")
            #expect(row.eventsDropped == 0)
            #expect(row.eventsDelivered == UInt64(posted.withLock { $0 }))
            // As the plugin itself has it.
            let seen = session.json["plugins"]?["m\(number)"]?["seen"]
            #expect(seen?["dropped"] == 0)
            #expect(seen?["events"] == .int(Int64(row.eventsDelivered)))
        }
        for number in BlastRadiusTests.witnesses..<BlastRadiusTests.monitors {
            #expect(rows["m\(number)"]?.faults.isEmpty == false)
        }
        let (good, bad) = (pools[0].status, pools[1].status)
        #expect(good.faults.isEmpty && good.defaultsUsed == 0, "\(good.faults)")
        #expect(!bad.faults.isEmpty && bad.defaultsUsed > 0)
        // Those that are being started again cannot be hit, so a few turns may find nobody.
        #expect(injector.hits >= seconds * 1000 / BlastRadiusTests.interval / 2)
        print(
            "\(injector.hits) faults in \(seconds) s; the others lost 0 of \(posted.withLock { $0 }) events and 0 of \(good.calls) decisions; "
                + "\(frames.presented ?? -1) pictures, \(frames.droppedLate ?? -1) late, the same as without plugins")
    }

    /// A pool under a lifecycle plugin in a worker, in use all the time.
    private final class Pool: Sendable {
        let path: String
        private let policy: PluginLifecyclePolicy
        private let pool: PlayerPool
        private let isOver = Atomic(false)

        init(plugin: String, name: String, catalog: PluginCatalog) throws {
            path = plugin
            policy = try PluginLifecyclePolicy(
                plugin: try catalog.stranger(path: plugin, runs: .worker, allowsInsecurePath: false), name: name,
                options: [])
            policy.waitUntilStarted(withinMilliseconds: CallDeadlines.longestStart)
            let log = LogHub(console: { _ in })
            log.logEnabled = false
            pool = PlayerPool(policy: policy, clock: MonotonicClock(), log: log)
            pool.setup(factory: FakePlayerFactory())
        }

        func stop() { isOver.store(true, ordering: .relaxed) }

        func run() {
            while !isOver.load(ordering: .relaxed) {
                if let lease = try? pool.acquirePlayer() { pool.recyclePlayer(lease, force: false) }
                usleep(2000)
            }
        }

        var status: StrategyStatus { policy.status }
    }

    private func build(_ name: String, _ kinds: String, in directory: TemporaryDirectory) throws -> String {
        let source = Kitshell.root.appending(path: "Tests/IsolationTests/Fixtures/witness.c").path
        return try CommandLineTool.compile(
            try String(contentsOfFile: source, encoding: .utf8), to: "witness-\(name).so", in: directory,
            arguments: [
                "-shared", "-fPIC", "-fvisibility=hidden", "-O1", "-DKIND=\(kinds)", "-DID=\"com.example.\(name)\"",
            ])
    }

    private func catalog() throws -> PluginCatalog {
        let log = LogHub(console: { _ in })
        log.logEnabled = false
        return PluginCatalog(
            builtinDirectory: try BlastRadiusTests.builtins.get().path,
            makePlace: PluginPlaces.maker(
                log: log, deadlines: BlastRadiusTests.deadlines, restarts: RestartPolicy(limit: .max, delays: [0])))
    }

    /// Plays the demo clip.
    ///
    /// - Returns: time stamp and hash of every picture, and the report.
    private func play(
        loops: Int, hashes: String, isVirtualTime: Bool, plugins: [String],
        onEvent: (@Sendable (PlayerEvent) -> Void)? = nil
    ) throws -> (String, PlaybackReport) {
        _ = FileManager.default.createFile(atPath: hashes, contents: nil)
        let output = try FileHandle(forWritingTo: URL(filePath: hashes))
        defer { try? output.close() }
        var settings = PlaySettings(models: [PlayerModel(videoSource: .url(Kitshell.clip))])
        settings.playback.loop = loops > 1 ? .times(loops - 1) : .off
        settings.isVirtualTime = isVirtualTime
        settings.frameHashes = OutputDescriptor(descriptor: output.fileDescriptor, name: hashes)
        settings.strategies.plugins = plugins.enumerated().map { .init(name: "m\($0)", path: $1) }
        settings.network = .ethernet
        let log = LogHub(console: { _ in })
        log.logEnabled = false
        let run = try PlayRun(settings, catalog: try catalog(), log: log, onEvent: onEvent)
        let (report, failures) = run.run()
        #expect(failures.isEmpty)
        return (try String(contentsOfFile: hashes, encoding: .utf8), report)
    }
}
