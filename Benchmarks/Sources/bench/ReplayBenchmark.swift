// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A log of a million events, replayed under the standard monitors by a process of its own.
enum ReplayBenchmark {
    private static let events = 1_000_000

    struct Result: Encodable {
        /// From before the process is spawned until it has ended.
        var milliseconds: Spread
        var promised = "at most 2000"
    }

    static func run(_ arguments: Arguments) throws -> Result {
        let log = FileManager.default.temporaryDirectory.appending(path: "kitshell-bench-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: log) }
        try Data(text().utf8).write(to: log)
        let replay = Child([arguments.kitshell, "replay", log.path, "-q"])
        return Result(milliseconds: Spread(try (0..<5).map { _ in try replay.milliseconds() }))
    }

    /// Sessions as a recorder writes them: a picture every 40 ms, now and then a stall and a seek.
    private static func text() -> String {
        var lines = ["{\"schema\":\"kitshell.events/1\"}"]
        var time = 0
        var session = 0
        func add(_ event: String, _ rest: String = "") {
            lines.append("{\"t_ms\":\(time),\"event\":\"\(event)\",\"session\":\(session)\(rest)}")
        }
        while lines.count <= events {
            session += 1
            add(
                "request", ",\"source\":\"v\(session).mp4\",\"unique_id\":\"url:v\(session).mp4\",\"instance\":\"cold\""
            )
            add("play_intent")
            add("prepared", ",\"duration_ms\":100000")
            add("first_video_frame", ",\"pts_ms\":0")
            for picture in 1...2400 where lines.count <= events {
                time += 40
                add("frames", ",\"decoded\":\(picture + 2),\"presented\":\(picture),\"dropped_late\":0,\"skipped\":0")
                if picture % 3 == 0 {
                    add("position", ",\"position_ms\":\(picture * 40),\"buffered_ms\":\(picture * 40 + 3000).25")
                    add("bytes", ",\"read\":\(picture * 6000)")
                }
                if picture % 400 == 200 { add("loading_begin", ",\"cause\":\"network\"") }
                if picture % 400 == 210 { add("loading_end") }
                if picture % 900 == 500 {
                    add("seek_begin", ",\"to_ms\":\(picture * 40)")
                    add("seek_end", ",\"position_ms\":\(picture * 40)")
                }
            }
            time += 10
            add("completed")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
