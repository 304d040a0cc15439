// SPDX-License-Identifier: Apache-2.0

/// `kitshell [play] [SOURCE…]`.
package struct PlayOptions: RunsStrategies, PrintsResults, Hashable {
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
    package var strategies = StrategyOptions()
    package var output = OutputOptions()
    package var speed = Speed.realtime
    package var until = Until.end
    package var autoplay = true
    /// Where the event log goes.
    package var recordFile: String?

    package init() {}

    package mutating func finish(_ operands: [Operand]) throws(UsageError) {
        if operands.contains(where: { $0.text.isEmpty }) {
            throw UsageError("a source is empty", hint: "name a file or a URL")
        }
        sources = operands.map(\.text)
        output.finish()
    }

    package static let table = CommandTable<PlayOptions>(
        name: "play", operands: "[SOURCE…]",
        summary: "plays the sources without a window, one after the other, under the strategies, and prints a report; "
            + "without a source it plays the demo clip",
        example: "play movie.mp4 --plugin ./libcounter.so --report json",
        rows: [
            pluginRow,
            lifecycleRow,
            monitorRow,
            setRow,
            isolationRow,
            insecurePathRow,
            .choice("speed", Speed.self, help: "how time passes (default realtime); max: as fast as decoding goes") {
                $0.speed = $1
            },
            .choice("until", Until.self, help: "stop each source at this point (default end)") { $0.until = $1 },
            .flag("no-autoplay", help: "prepare, but do not start to play") { $0.autoplay = false },
            .text("record", "FILE", help: "write the event log, for kitshell replay") {
                (options, value) throws(UsageError) in options.recordFile = value
            },
            reportRow,
            expectRow,
            colorRow,
            logLevelRow,
            quietRow,
        ])
}
