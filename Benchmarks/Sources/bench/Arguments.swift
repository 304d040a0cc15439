// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What `scripts/bench.sh` passes on: paths, and a smaller number of runs for a quick look.
struct Arguments {
    var kitshell = ".build/release/kitshell"
    var baseline = ".build/bench/first_frame"
    /// Where the built-in strategies are.
    var builtins = ".build/release/builtin"
    /// 4 s of 720p, for first frames.
    var clip = ".build/bench/720p.mp4"
    /// 20 s of 720p with much to decode.
    var longClip = ".build/bench/720p-long.mp4"
    /// 10 s of 720p at a steady rate, without sound.
    var steadyClip = ".build/bench/720p30.mp4"
    /// The list of the feed that ships with the product.
    var feed = "Media/feed/feed.txt"
    /// `plugin/strategies.c`, built.
    var plugin = ".build/bench/strategies.so"
    var runs = 31

    static let steadyFramesPerSecond = 30.0

    /// Whether there is something to play.
    var hasClips: Bool {
        let clips: [String] = [clip, longClip, steadyClip]
        return clips.allSatisfy { access($0, R_OK) == 0 }
    }

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Failure("\(name) needs a value") }
            switch name {
            case "--kitshell": kitshell = value
            case "--baseline": baseline = value
            case "--builtins": builtins = value
            case "--clip": clip = value
            case "--long-clip": longClip = value
            case "--steady-clip": steadyClip = value
            case "--feed": feed = value
            case "--plugin": plugin = value
            case "--runs":
                guard let number = Int(value), number > 0 else {
                    throw Failure("--runs needs a positive number, not '\(value)'")
                }
                runs = number
            default:
                throw Failure(
                    "unknown option \(name); valid: --kitshell, --baseline, --builtins, --clip, --long-clip, --steady-clip, --feed, --plugin, --runs"
                )
            }
        }
    }
}

/// A benchmark that could not be run.
struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
