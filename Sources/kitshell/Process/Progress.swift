// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit
internal import Synchronization

/// One line on stderr that says how far playback is, drawn over itself; log lines go above it.
///
/// Thread: `show` one, `clear` afterwards, `log` any.
final class Progress: Sendable {
    private struct State {
        var current = 0
        var source = ""
        var duration: MediaTime?
        var shown = ""
    }

    private let count: Int
    private let state = Mutex(State())

    /// - Returns: nil if it is not wanted.
    init?(isWanted: Bool, sources: [String] = []) {
        guard isWanted else { return nil }
        count = sources.count
    }

    func show(_ event: PlayerEvent) {
        let line = state.withLock { state -> String? in
            switch event.type {
            case .request:
                state.current += 1
                state.source = event.source ?? ""
                state.duration = nil
                return draw(&state, "opening")
            case .prepared:
                state.duration = event.media?.duration
                return draw(&state, "prepared")
            case .position:
                return draw(&state, seconds(MediaTime(microseconds: event.values[0])))
            default: return nil
            }
        }
        if let line { StandardStreams.write(line, to: StandardStreams.error) }
    }

    /// How far a feed is.
    func show(_ progress: FeedRun.Progress) {
        let name = TextFormat.clean(SourceName.short(progress.source) ?? progress.source)
        let place = progress.position == 0 ? "start" : "swipe \(progress.position) of \(progress.swipeCount)"
        let line = state.withLock { draw(&$0, line: "\(progress.strategy)  \(place)  \(name)") }
        if let line { StandardStreams.write(line, to: StandardStreams.error) }
    }

    /// Writes a line of the log.
    func log(_ line: String) {
        let shown = state.withLock { $0.shown }
        StandardStreams.write("\(Progress.lineStart)\(line)\n\(shown)", to: StandardStreams.error)
    }

    func clear() {
        state.withLock { $0.shown = "" }
        StandardStreams.write(Progress.lineStart, to: StandardStreams.error)
    }

    /// Goes to the beginning of the line and empties it.
    private static let lineStart = "\r\u{1b}[K"

    private func draw(_ state: inout State, _ what: String) -> String? {
        let name = TextFormat.clean(state.source).split(separator: "/").last.map(String.init) ?? ""
        let place = count > 1 ? "\(state.current)/\(count) " : ""
        let total = state.duration.map { " of \(seconds($0))" } ?? ""
        return draw(&state, line: "\(place)\(name)  \(what)\(what.hasSuffix("s") ? total : "")")
    }

    private func draw(_ state: inout State, line: String) -> String? {
        let line = String(line.prefix(79))
        guard line != state.shown else { return nil }
        state.shown = line
        return Progress.lineStart + line
    }

    private func seconds(_ time: MediaTime) -> String {
        let tenths = time.microseconds / 100_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
