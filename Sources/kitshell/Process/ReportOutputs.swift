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

    /// - Parameter inputs: paths of what the run reads.
    /// - Throws: `PlayerError` for a file that cannot be written or that the run uses for something else.
    init(_ options: OutputOptions, sparing inputs: [String]) throws(PlayerError) {
        color = options.color
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

    /// Writes every form but lines, which were written already.
    ///
    /// - Parameter render: the text of a form, coloured where that form can be.
    /// - Returns: false if something could not be written; it has then been said.
    func write(_ render: (OutputOptions.Format, _ isColored: Bool) -> String) -> Bool {
        var isWritten = true
        for destination in destinations where destination.format != .jsonl {
            let descriptor = destination.file?.descriptor ?? StandardStreams.output
            let rendering = render(destination.format, Terminal.isColored(descriptor, color))
            destination.file?.clear()
            if !StandardStreams.write(rendering, to: descriptor), errno != EPIPE {
                complain(of: destination, SystemReason.last)
                isWritten = false
            }
        }
        return isWritten
    }

    private func complain(of destination: Destination, _ reason: String) {
        StandardStreams.complain(
            "the report could not be written to \(destination.file?.path ?? "standard output"): \(reason)")
    }

    // MARK: Runs

    /// Begins the lines that tell of a run while it goes on; nil if they were not asked for.
    ///
    /// - Parameter isLossless: the run waits for a slow reader rather than lose lines.
    func beginLines(isLossless: Bool) -> LineReport? {
        let wanted = destinations.filter { $0.format == .jsonl }
        guard !wanted.isEmpty else { return nil }
        return LineReport(
            wanted.map { destination in
                destination.file?.clear()
                return LineOutput(
                    descriptor: destination.file?.descriptor ?? StandardStreams.output, isLossless: isLossless)
            })
    }

    /// Waits until the lines of a run are written.
    ///
    /// - Returns: false if some could not be; it has then been said.
    func finish(_ lines: LineReport?) -> Bool {
        var isWritten = true
        for (destination, reason) in zip(destinations.filter { $0.format == .jsonl }, lines?.finish() ?? []) {
            guard let reason else { continue }
            complain(of: destination, reason)
            isWritten = false
        }
        return isWritten
    }

    /// Writes a run's report in every form and ends its lines.
    ///
    /// - Parameter document: the report as JSON.
    /// - Returns: false if something could not be written; it has then been said.
    func write(_ report: PlaybackReport, _ document: JSONValue, lines: LineReport?) -> Bool {
        let isWritten = write { format, isColored in
            switch format {
            case .text: TextReport.render(document, isColored: isColored)
            case .openmetrics: MetricsReport.render(document)
            case .html: HTMLReport.render(document, traces: report.traces)
            case .json, .jsonl: JSONWriter.text(document, style: .pretty) + "\n"
            }
        }
        lines?.end(document)
        return finish(lines) && isWritten
    }
}
