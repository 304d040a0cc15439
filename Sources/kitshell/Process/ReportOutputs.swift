// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit

/// The forms in which a result is written and where each goes. Files are opened before anything runs, so that a wrong path is found
/// at once, and keep what is in them until there is a result.
struct ReportOutputs: ~Copyable {
    private struct Destination {
        var format: OutputOptions.Format
        /// nil: standard output.
        var file: OutputFile?
    }

    private let destinations: [Destination]
    private let color: OutputOptions.Color
    private let text: (JSONValue, _ isColored: Bool) -> String

    /// - Parameters:
    ///   - inputs: paths of what the run reads.
    ///   - text: how a person reads the result.
    /// - Throws: `PlayerError` for a file that cannot be written or that the run uses for something else.
    init(
        _ options: OutputOptions, sparing inputs: [String],
        text: @escaping (JSONValue, Bool) -> String = { TextReport.render($0, isColored: $1) }
    ) throws(PlayerError) {
        color = options.color
        self.text = text
        var destinations: [Destination] = []
        for report in options.reports {
            var destination = Destination(format: report.format)
            if let path = report.file {
                let others = inputs + destinations.compactMap(\.file?.path)
                destination.file = try OutputFile(path: path, for: "--report", sparing: others)
            }
            destinations.append(destination)
        }
        self.destinations = destinations
    }

    /// - Returns: false if something could not be written; it has then been said.
    func write(_ result: JSONValue) -> Bool {
        var isWritten = true
        for destination in destinations {
            let descriptor = destination.file?.descriptor ?? StandardStreams.output
            let rendering =
                switch destination.format {
                case .json: JSONWriter.text(result, style: .pretty) + "\n"
                case .text: text(result, Terminal.isColored(descriptor, color))
                }
            destination.file?.clear()
            if !StandardStreams.write(rendering, to: descriptor), errno != EPIPE {
                let reason = SystemReason.last
                StandardStreams.complain(
                    "the report could not be written to \(destination.file?.path ?? "standard output"): \(reason)")
                isWritten = false
            }
        }
        return isWritten
    }
}
