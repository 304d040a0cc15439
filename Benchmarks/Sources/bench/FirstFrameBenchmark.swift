// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Whole processes, from before they are spawned until they have ended: kitshell up to the first frame, and the bare C program.
enum FirstFrameBenchmark {
    struct Result: Encodable {
        var kitshellMilliseconds: Spread
        var baselineMilliseconds: Spread
        /// Of the medians.
        var ratio: Double
    }

    /// Runs both by turns, so that whatever else the machine does hits both.
    static func run(_ arguments: Arguments) throws -> Result {
        let kitshell = [arguments.kitshell, arguments.clip, "--until", "first-frame", "--speed", "realtime", "-q"]
        let baseline = [arguments.baseline, arguments.clip]
        // The first run of each fills the page cache.
        _ = try milliseconds(kitshell)
        _ = try milliseconds(baseline)
        var ours: [Double] = []
        var bare: [Double] = []
        for _ in 0..<arguments.runs {
            ours.append(try milliseconds(kitshell))
            bare.append(try milliseconds(baseline))
        }
        let result = (Spread(ours), Spread(bare))
        return Result(
            kitshellMilliseconds: result.0, baselineMilliseconds: result.1, ratio: result.0.median / result.1.median)
    }

    private static func milliseconds(_ command: [String]) throws -> Double {
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
        defer { words.forEach { free($0) } }
        words.append(nil)
        var child: pid_t = 0
        let start = ContinuousClock.now
        let error = posix_spawn(&child, command[0], nil, nil, words, environ)
        guard error == 0 else { throw Failure("\(command[0]) does not start: \(String(cString: strerror(error)))") }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else {
                throw Failure("waiting for \(command[0]): \(String(cString: strerror(errno)))")
            }
        }
        let spent = ContinuousClock.now - start
        guard status == 0 else { throw Failure("\(command.joined(separator: " ")) ended with wait status \(status)") }
        return spent / .milliseconds(1)
    }
}
