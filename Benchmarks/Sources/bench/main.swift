// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlayerKit

/// What is printed.
struct Results: Encodable {
    var schema = "kitshell.bench/10"
    var firstFrameProcess: Comparison?
    var firstFramePeers: [String: Comparison] = [:]
    var firstFrameInProcess: Comparison?
    /// A player that was stopped and reset, beside a new one.
    var firstFrameReused: Comparison?
    var decoding: Comparison?
    var idleCreated: EngineBenchmark.Idle?
    var idleStopped: EngineBenchmark.Idle?
    var allocations: AllocationBenchmark.Result?
    var cycles: EngineBenchmark.Cycles?
    var jitter: EngineBenchmark.Jitter?
    var replayMillionEvents: ReplayBenchmark.Result?
    var postEvent: [PostBenchmark.Result] = []
    var delivery: [DeliveryBenchmark.Result] = []
    var controllers: ControllersBenchmark.Result?
    var worker: WorkerBenchmark.Result?
    var decisions: [DecisionBenchmark.Result] = []
    var feed: FeedBenchmark.Result?
    /// Of one reading of the clock.
    var clockNanoseconds: Spread?
    /// Why something is missing.
    var notes: [String] = []
}

do {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    try PlayerKit.setup(pluginDirectory: arguments.builtins)
    var results = Results()
    // First: later on there is freed memory that new players would be made in.
    results.idleCreated = try EngineBenchmark.created()
    results.controllers = try ControllersBenchmark.run()
    if arguments.hasClips {
        results.firstFrameProcess = try ProcessBenchmark.firstFrame(arguments)
        results.firstFramePeers = try ProcessBenchmark.peers(arguments, notes: &results.notes)
        results.firstFrameInProcess = try EngineBenchmark.firstFrame(arguments)
        results.firstFrameReused = try ReuseBenchmark.run(arguments)
        if let ffmpeg = Child.find("ffmpeg") {
            results.decoding = try ProcessBenchmark.decoding(arguments, ffmpeg: ffmpeg)
        } else {
            results.notes.append("decoding left out: ffmpeg is not installed")
        }
        results.idleStopped = try EngineBenchmark.stopped(arguments)
        results.allocations = try AllocationBenchmark.run(arguments)
        results.cycles = try EngineBenchmark.cycles(arguments)
        results.jitter = try EngineBenchmark.jitter(arguments)
    } else {
        results.notes.append("everything that plays is left out: no clips; with ffmpeg installed they are made")
    }
    results.replayMillionEvents = try ReplayBenchmark.run(arguments)
    results.postEvent = try PostBenchmark.run()
    results.delivery = try DeliveryBenchmark.run()
    results.worker = try WorkerBenchmark.run(plugin: arguments.plugin)
    results.decisions = try DecisionBenchmark.run()
    results.feed = try FeedBenchmark.run(arguments)
    results.clockNanoseconds = PostBenchmark.clockReading()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    print(String(decoding: try encoder.encode(results), as: UTF8.self))
} catch {
    FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
    exit(1)
}
