// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What `scripts/bench.sh` passes on: paths, and a smaller number of runs for a quick look.
struct Arguments {
    var kitshell = ".build/release/kitshell"
    var baseline = ".build/bench/first_frame"
    var clip = ".build/bench/720p.mp4"
    var runs = 31

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Failure("\(name) needs a value") }
            switch name {
            case "--kitshell": kitshell = value
            case "--baseline": baseline = value
            case "--clip": clip = value
            case "--runs":
                guard let number = Int(value), number > 0 else {
                    throw Failure("--runs needs a positive number, not '\(value)'")
                }
                runs = number
            default: throw Failure("unknown option \(name); valid: --kitshell, --baseline, --clip, --runs")
            }
        }
    }
}

/// A benchmark that could not be run.
struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
