// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

extension PlayOptions {
    static let playbackRows: [OptionRow<PlayOptions>] = timeRows + trackRows + [networkRow]

    private static let timeRows: [OptionRow<PlayOptions>] = [
        .choice("speed", Speed.self, help: "how time passes (default realtime); max: as fast as decoding goes") {
            $0.speed = $1
        },
        .text("rate", "N", help: "media time over time, 0.5 to 2.0 (default 1)") {
            (options, value) throws(UsageError) in
            guard let rate = Double(value), options.playback.set(rate: rate) else {
                throw UsageError(
                    "option --rate: '\(value)' is no rate", hint: "write a number from 0.5 to 2.0, as --rate 1.5")
            }
        },
        .milliseconds("start", help: "begin at this media time, in milliseconds") { $0.start = $1 },
        .milliseconds(
            "duration", isPositive: true,
            help: "stop after this much media time, the passes of a --loop counted together"
        ) {
            $0.duration = $1
        },
        .choice("until", Until.self, help: "stop each source at this point (default end)") { $0.until = $1 },
        .text("loop", "N", help: "play each source again N times after the first, or 'forever'") {
            (options, value) throws(UsageError) in options.playback.loop = try PlaybackSettings.Loop(argument: value)
        },
        .flag("no-autoplay", help: "prepare, but do not start to play") { $0.autoplay = false },
    ]

    static let outputRows: [OptionRow<PlayOptions>] = [
        .sink("video-sink", "y4m", help: "where pictures go (default null: nowhere), as YUV4MPEG2") {
            $0.pictureFile = $1
        },
        .sink("audio-sink", "wav", help: "where sound goes (default null: nowhere), as 16-bit WAV") {
            $0.soundFile = $1
        },
        .text("frame-hashes", "FILE", help: "write time stamp, size and MD5 of each picture, as ffmpeg's framemd5") {
            (options, value) throws(UsageError) in options.hashFile = value
        },
        recordRow,
        reportRow,
        expectRow,
        colorRow,
        logLevelRow,
        quietRow,
    ]
}

extension OptionRow {
    /// An option whose value is a time in milliseconds, with up to three decimals.
    static func milliseconds(
        _ long: String, isPositive: Bool = false, help: String,
        _ apply: @escaping @Sendable (inout Options, MediaTime) -> Void
    ) -> OptionRow {
        .text(long, "MS", help: help) { (options, value) throws(UsageError) in
            guard let time = MediaTime(milliseconds: value), !isPositive || time > .zero else {
                throw UsageError(
                    "option --\(long): '\(value)' is no \(isPositive ? "span" : "time") in milliseconds",
                    hint: "write a number \(isPositive ? "above" : "from") 0, as --\(long) 1500")
            }
            apply(&options, time)
        }
    }

    /// An option whose value is `null` or a form and a file.
    fileprivate static func sink(
        _ long: String, _ form: String, help: String, _ apply: @escaping @Sendable (inout Options, String?) -> Void
    ) -> OptionRow {
        .text(long, "null|\(form):FILE", help: help) { (options, value) throws(UsageError) in
            if value == "null" { return apply(&options, nil) }
            let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == form else {
                throw UsageError(unknown: "value of --\(long)", value, valid: ["null", "\(form):FILE"])
            }
            guard parts.count == 2, !parts[1].isEmpty else {
                throw UsageError("option --\(long): no file after '\(form)'", hint: "write --\(long) \(form):FILE")
            }
            apply(&options, String(parts[1]))
        }
    }
}

extension MediaTime {
    /// Reads a decimal number of milliseconds from 0 to about 30 years.
    fileprivate init?(milliseconds text: String) {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }),
            let milliseconds = Double(text), milliseconds <= 1e12
        else { return nil }
        self.init(microseconds: Int64((milliseconds * 1000).rounded()))
    }
}

extension PlaybackSettings.Loop {
    fileprivate init(argument: String) throws(UsageError) {
        if argument == "forever" {
            self = .forever
        } else if let count = Int(argument), (0...1_000_000).contains(count) {
            self = count == 0 ? .off : .times(count)
        } else {
            throw UsageError(
                "option --loop: '\(argument)' is no count",
                hint: "write how often a source plays again after the first time, or 'forever'")
        }
    }
}
