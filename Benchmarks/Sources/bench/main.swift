// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What is printed.
struct Results: Encodable {
    var schema = "kitshell.bench/1"
    var firstFrame: FirstFrameBenchmark.Result?
    var postEvent: [PostBenchmark.Result] = []
    /// Of one reading of the clock.
    var clockNanoseconds: Spread?
    /// Why something is missing.
    var notes: [String] = []
}

do {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    var results = Results()
    if FileManager.default.fileExists(atPath: arguments.clip) {
        results.firstFrame = try FirstFrameBenchmark.run(arguments)
    } else {
        results.notes.append("first_frame left out: no clip at \(arguments.clip); with ffmpeg installed it is made")
    }
    results.postEvent = try PostBenchmark.run()
    results.clockNanoseconds = PostBenchmark.clockReading()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    print(String(decoding: try encoder.encode(results), as: UTF8.self))
} catch {
    FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
    exit(1)
}
