// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import PlayerKit

/// `kitshell [play] [SOURCE…]`.
package struct PlayOptions: PlaysSources, Hashable {
    /// How time passes.
    package enum Speed: String, WordChoice {
        case realtime
        /// Waits are skipped: as fast as decoding goes.
        case max
    }

    /// What ends a session.
    package enum Until: String, WordChoice {
        case firstFrame = "first-frame"
        case prepared
        case end
    }

    /// Empty: the demo clip.
    package var sources: [String] = []
    package var strategies = StrategySelection()
    package var configFile: String?
    package var stateDirectory: String?
    package var output = OutputOptions()
    package var speed = Speed.realtime
    package var until = Until.end
    package var autoplay = true
    /// Rate and loop.
    package var playback = PlaybackSettings()
    package var start: MediaTime?
    /// Media time to play; nil: to the end.
    package var duration: MediaTime?
    package var hasVideo = true
    package var hasAudio = true
    package var network: NetworkType?
    package var recordFile: String?
    /// Where pictures go; this and the next two are paths, or `-` for standard output.
    package var pictureFile: String?
    package var soundFile: String?
    package var hashFile: String?

    package init() {}

    package static var formats: [OutputOptions.Format] { OutputOptions.Format.allCases }

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        if operands.contains(where: { $0.text.isEmpty }) {
            throw UsageError("a source is empty", hint: "name a file or a URL")
        }
        sources = operands.map(\.text)
        try checkTracks()
        try checkOutputs()
        output.finish(isStandardOutputTaken: outputs.contains { $0.file == OutputOptions.standardOutput })
    }

    /// What stands for standard input where a source is asked for.
    static let standardInput = "-"

    package static let table = CommandTable<PlayOptions>(
        name: "play", operands: "[SOURCE…]",
        summary:
            "plays the sources (paths, http or https URLs, - for standard input) without a window, one after the other, "
            + "under the strategies, and prints a report; without a source it plays the demo clip, or a short feed of demo clips "
            + "where a lifecycle strategy is given",
        example: "play movie.mp4 --plugin ./libcounter.so --report json",
        groups: [
            OptionGroup(
                "Strategies",
                rows: [
                    pluginRow, lifecycleRow, monitorRow, setRow, grantRow("; paused for 30 s it is stopped"),
                    isolationRow, insecurePathRow, configRow, stateDirectoryRow,
                ]),
            OptionGroup("Playback", rows: playbackRows),
            OptionGroup("Output; FILE is a path, or - for standard output", rows: outputRows),
        ])

    /// The feed that is played in place of the demo clip where a lifecycle strategy is given: of one source it would decide little.
    ///
    /// - Throws: for an option that a feed does not take.
    package func demoFeed() throws(UsageError) -> FeedOptions {
        let unfit = [
            ("--speed", speed != .realtime), ("--rate", playback.rate != 1), ("--loop", playback.loop != .off),
            ("--start", start != nil), ("--duration", duration != nil), ("--until", until != .end),
            ("--no-autoplay", !autoplay), ("--video-sink", pictureFile != nil), ("--audio-sink", soundFile != nil),
            ("--frame-hashes", hashFile != nil), ("--expect", !output.expectations.isEmpty),
        ]
        let forms = output.reports.filter { !FeedOptions.formats.contains($0.format) }
            .map { ("--report \($0.format.word)", true) }
        if let (option, _) = (unfit + forms).first(where: \.1) {
            throw UsageError(
                "option \(option) does not go with the demo feed, which a lifecycle strategy without a source plays",
                hint: "name a source, or leave the option out")
        }
        var feed = FeedOptions()
        feed.strategies = strategies
        feed.configFile = configFile
        feed.stateDirectory = stateDirectory
        feed.output = output
        feed.swipeEvery = MediaTime(microseconds: 700_000)
        feed.swipes = 7
        feed.hasVideo = hasVideo
        feed.hasAudio = hasAudio
        feed.network = network
        feed.recordFile = recordFile
        return feed
    }

    // MARK: What options demand of one another

    private func checkTracks() throws(UsageError) {
        try checkHasTrack()
        let needed = hasVideo ? [] : ["--video-sink", "--frame-hashes"]
        let idle = (needed + (hasAudio ? [] : ["--audio-sink"])).first { option in
            outputs.contains { $0.option == option }
        }
        if let idle {
            throw UsageError(
                "option \(idle) gets nothing with \(hasVideo ? "--no-audio" : "--no-video")",
                hint: "leave one of them out")
        }
    }

    private func checkOutputs() throws(UsageError) {
        if sources.count > 1, let output = outputs.first(where: { $0.option != "--record" }) {
            throw UsageError(
                "option \(output.option) writes what one source gives, and \(sources.count) are to be played",
                hint: "play each in a run of its own")
        }
        var taken = outputs.filter { $0.file == OutputOptions.standardOutput }.map(\.option)
        if output.reports.contains(where: { $0.file == nil }) { taken.append("--report") }
        guard taken.count < 2 else {
            throw UsageError(
                "options \(taken[0]) and \(taken[1]) would both write to standard output",
                hint: "give one of them a file")
        }
    }

    /// What is written besides the report.
    private var outputs: [(option: String, file: String)] {
        [
            ("--video-sink", pictureFile), ("--audio-sink", soundFile), ("--frame-hashes", hashFile),
            ("--record", recordFile),
        ].compactMap { option, file in file.map { (option, $0) } }
    }
}
