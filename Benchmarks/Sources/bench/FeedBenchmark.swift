// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What swiping through the feed that ships with the product is like under the built-in lifecycle strategies, one after the other.
enum FeedBenchmark {
    private static let strategies = ["default", "reuse-pool", "id-scoped-pool"]
    private static let swipes = 60
    private static let swipeMilliseconds = 300

    /// From the swipe to the first picture, of one strategy.
    struct Figures: Encodable {
        var strategy: String
        var p50Milliseconds: Double?
        /// nil: a missed swipe is among the slowest.
        var p95Milliseconds: Double?
        var p99Milliseconds: Double?
        var missed: Int
        var playersCreated: Int
        var peakResidentBytes: Int?
        var lateFrames: Int?
    }

    struct Result: Encodable {
        var swipes: Int
        var strategies: [Figures]
        /// Of the p95.
        var idScopedOverDefault: Double?
        var reuseOverDefault: Double?
        /// The p95 of swipes to a player that showed its first picture already.
        var preRenderedP95Milliseconds: Double?
        var promised = "id_scoped_over_default at most 0.25, reuse_over_default below 1, pre-rendered within 16 ms"
    }

    /// What is read of the report of `kitshell feed`.
    fileprivate struct Report: Decodable {
        struct Percentiles: Decodable {
            var p50: Double?
            var p95: Double?
            var p99: Double?
        }

        struct Swipes: Decodable {
            var missed: Int
            var firstFrameMs: Percentiles
        }

        struct Instances: Decodable {
            var preRendered: Swipes
        }

        struct Pool: Decodable {
            var created: Int
        }

        struct Frames: Decodable {
            var droppedLate: Int?
        }

        struct Run: Decodable {
            var strategy: String
            var swipes: Swipes
            var instances: Instances
            var pool: Pool
            var frames: Frames
            var peakResidentBytes: Int?
        }

        var runs: [Run]
    }

    static func run(_ arguments: Arguments) throws -> Result {
        let output = try Child([
            arguments.kitshell, "feed", arguments.feed, "--compare", strategies.joined(separator: ","), "--swipes",
            "\(swipes)", "--swipe-every", "\(swipeMilliseconds)", "--report", "json",
        ]).output()
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let runs = try decoder.decode(Report.self, from: output).runs
        guard runs.map(\.strategy) == strategies else { throw Failure("kitshell feed left a strategy out") }
        func overDefault(_ run: Report.Run) -> Double? {
            guard let mine = run.swipes.firstFrameMs.p95, let base = runs[0].swipes.firstFrameMs.p95 else { return nil }
            return mine / base
        }
        return Result(
            swipes: swipes, strategies: runs.map(Figures.init), idScopedOverDefault: overDefault(runs[2]),
            reuseOverDefault: overDefault(runs[1]),
            preRenderedP95Milliseconds: runs[2].instances.preRendered.firstFrameMs.p95)
    }
}

extension FeedBenchmark.Figures {
    fileprivate init(_ run: FeedBenchmark.Report.Run) {
        let times = run.swipes.firstFrameMs
        self.init(
            strategy: run.strategy, p50Milliseconds: times.p50, p95Milliseconds: times.p95, p99Milliseconds: times.p99,
            missed: run.swipes.missed, playersCreated: run.pool.created, peakResidentBytes: run.peakResidentBytes,
            lateFrames: run.frames.droppedLate)
    }
}
