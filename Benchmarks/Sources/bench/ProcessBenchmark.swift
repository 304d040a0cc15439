// SPDX-License-Identifier: Apache-2.0

/// Whole processes: from before they are spawned until they have ended.
enum ProcessBenchmark {
    /// Kitshell up to the first frame, and the bare C program.
    static func firstFrame(_ arguments: Arguments) throws -> Comparison {
        try Comparison(
            runs: arguments.runs, promised: "at most 1.0", ours: kitshell(arguments).milliseconds,
            baseline: Child([arguments.baseline, arguments.clip]).milliseconds)
    }

    /// What other players need for the same, each over the bare C program; those that are not installed, or cannot play the clip, are left out.
    static func peers(_ arguments: Arguments, notes: inout [String]) throws -> [String: Comparison] {
        let commands = [
            "ffmpeg": ["-v", "quiet", "-nostdin", "-i", arguments.clip, "-frames:v", "1", "-f", "null", "-"],
            "gst-launch-1.0": [
                "-q", "filesrc", "location=\(arguments.clip)", "!", "decodebin", "!", "fakesink", "num-buffers=1",
            ],
            "mpv": ["--no-config", "--really-quiet", "--vo=null", "--ao=null", "--frames=1", arguments.clip],
        ]
        var results: [String: Comparison] = [:]
        for (name, options) in commands.sorted(by: { $0.key < $1.key }) {
            guard let path = Child.find(name) else {
                notes.append("first frame of \(name) left out: it is not installed")
                continue
            }
            let peer = Child([path] + options)
            // Some come in parts, and without the one that reads the clip they measure nothing.
            do { _ = try peer.milliseconds() } catch {
                notes.append("first frame of \(name) left out: \(error)")
                continue
            }
            results[name] = try Comparison(
                runs: max(1, arguments.runs / 4), promised: "a peer, nothing of ours", ours: peer.milliseconds,
                baseline: Child([arguments.baseline, arguments.clip]).milliseconds)
        }
        return results
    }

    /// The whole of a clip, as fast as it can be decoded, and ffmpeg with two threads. The ratio is of speeds: above 1 is faster.
    static func decoding(_ arguments: Arguments, ffmpeg: String) throws -> Comparison {
        let ours = [arguments.kitshell, arguments.longClip, "--speed", "max", "-q"]
        let theirs = [ffmpeg, "-v", "quiet", "-nostdin", "-threads", "2", "-i", arguments.longClip, "-f", "null", "-"]
        var result = try Comparison(
            runs: max(1, arguments.runs / 3), promised: "speed at least 0.97 of ffmpeg's",
            ours: Child(ours).milliseconds, baseline: Child(theirs).milliseconds)
        result.ratio = 1 / result.ratio
        return result
    }

    private static func kitshell(_ arguments: Arguments) -> Child {
        Child([arguments.kitshell, arguments.clip, "--until", "first-frame", "--speed", "realtime", "-q"])
    }
}
