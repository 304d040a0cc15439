// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerKit
import Synchronization

/// Many controllers with the built-in monitors, each in the middle of a session of its own: what they weigh, and whether each is told
/// the truth about its own session.
enum ControllersBenchmark {
    struct Result: Encodable {
        var controllers: Int
        /// Resident memory of each, players apart.
        var kibibytesEach: Double
        var threads: Int
        /// Reports of the three monitors that were looked at.
        var reports: Int
        var wrongReports: Int
        var promised = "under 16 KiB each, no thread, no wrong report"
    }

    private static let count = 10_000

    static func run() throws -> Result {
        let factory = SilentPlayers()
        let clock = ManualClock()
        let reports = Reports()
        let environment = PlayerEnvironment(
            clock: clock, factory: factory, collectReport: { entry, _ in reports.add(entry) })
        let warmUp = try session(0, in: environment, factory)
        let (threads, memory) = (Resources.threads, Resources.residentKibibytes)
        var controllers: [PlayerController] = []
        controllers.reserveCapacity(count)
        for index in 1...count {
            controllers.append(try session(index, in: environment, factory))
            // As many events as wait in between must find room.
            if index % 100 == 0 { environment.dispatcher.barrier() }
        }
        let kibibytes = Resources.residentKibibytes - memory
        let moreThreads = Resources.threads - threads
        clock.set(EventTime(microseconds: 3_000_000))
        for controller in controllers + [warmUp] { controller.destroy() }
        environment.dispatcher.barrier()
        let figures = environment.dispatcher.figures
        guard figures.droppedEdges == 0 else { throw Failure("\(figures.droppedEdges) events found no room") }
        let wrong = (0...count).reduce(0) { $0 + reports.mistakes(about: plan($1)) }
        return Result(
            controllers: count, kibibytesEach: Double(kibibytes) / Double(count), threads: moreThreads,
            reports: reports.count, wrongReports: wrong)
    }

    /// What happens in a session, in milliseconds; different for each controller.
    struct Plan {
        var session: SessionID
        var prepare: Int64
        var render: Int64
        var stall: Int64
    }

    private static func plan(_ index: Int) -> Plan {
        let index64 = Int64(index)
        return Plan(
            session: SessionID(rawValue: UInt32(index + 1)), prepare: 50 + index64 % 97, render: 20 + index64 % 89,
            stall: 300 + index64 % 701)
    }

    /// A controller that was asked for a source, has shown it, has stalled once and plays on.
    private static func session(
        _ index: Int, in environment: PlayerEnvironment, _ factory: SilentPlayers
    ) throws -> PlayerController {
        let plan = plan(index)
        let controller = PlayerController(environment: environment)
        controller.configure(PlayerModel(videoSource: .url("\(index).mp4")))
        let output = try factory.newest()
        guard output.session == plan.session else { throw Failure("controller \(index) has session \(output.session)") }
        // All begin at once, and the clock stands: each event says itself when it happens.
        var now = EventTime.zero
        func post(after milliseconds: Int64, _ event: PlayerEvent) {
            now = now + milliseconds * 1000
            output.post(event, at: now)
        }
        post(after: 0, .state(.preparing))
        post(
            after: plan.prepare,
            .prepared(MediaDescription(container: "none", duration: MediaTime(microseconds: 60_000_000))))
        post(after: plan.render, .firstVideoFrame(pts: .zero))
        post(after: 1000, .loadingBegin(cause: .network))
        post(after: plan.stall, .loadingEnd)
        post(after: 100, .frames(FrameCounts()))
        return controller
    }

    /// The newest record of each strategy about each session.
    private final class Reports: Sendable {
        private struct Key: Hashable {
            var session: SessionID
            var name: String
        }

        private let records = Mutex<[Key: ReportEntry]>([:])

        var count: Int { records.withLock { $0.count } }

        func add(_ entry: ReportEntry) {
            guard entry.kind == .record else { return }
            records.withLock { $0[Key(session: entry.session, name: entry.name)] = entry }
        }

        func mistakes(about plan: Plan) -> Int {
            let expected: [(name: String, fields: [(String, ReportEntry.Value)])] = [
                (
                    "first_frame",
                    [
                        ("prepare_ms", .duration(plan.prepare * 1000)), ("render_ms", .duration(plan.render * 1000)),
                        ("total_ms", .duration((plan.prepare + plan.render) * 1000)),
                    ]
                ),
                ("stutter", [("count", .int(1)), ("total_ms", .duration(plan.stall * 1000))]),
                ("traffic", []),
            ]
            return records.withLock { records in
                expected.count { name, fields in
                    guard let entry = records[Key(session: plan.session, name: name)] else { return true }
                    return !fields.allSatisfy { key, value in
                        entry.fields.contains { $0.key == key && $0.value == value }
                    }
                }
            }
        }
    }
}
