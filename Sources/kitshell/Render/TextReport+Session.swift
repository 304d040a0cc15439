// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension TextReport {
    /// Everything a person wants to know first, a line each.
    static func fullSession(_ session: JSONValue) -> [TextLine] {
        var lines = [sessionHead(session)]
        if let media = session["media"].flatMap(media(of:)) {
            // Beside the outcome if it fits there.
            if lines[0].width + 4 + TextLine.width(of: media) <= TextLine.limit {
                lines[0].append("    " + media)
            } else {
                lines += TextLine.wrapped("   media", media, from: column, most: 2)
            }
        }
        lines += errorLines(session, most: 5)
        if session["incomplete"]?.bool == true {
            lines += TextLine.wrapped(
                "   incomplete", "events were lost, so figures may be too low", .bad, from: column, most: 1)
        }
        if let pieces = firstFrame(session) { lines += TextLine.flow("   first frame", pieces, from: column, gap: 4) }
        lines += stalls(session) + stuckLines(session)
        if let frames = frames(session) { lines += TextLine.flow("   frames", [TextLine.Piece(frames)], from: column) }
        lines += StatesBar.lines(session["states_ms"], from: column)
        lines += traffic(session)
        return lines
    }

    /// The outcome and the figures that one compares.
    static func shortSession(_ session: JSONValue, errorLines most: Int) -> [TextLine] {
        var pieces: [TextLine.Piece] = []
        if let first = firstFrame(session)?.first {
            pieces.append(TextLine.Piece("first frame \(first.text)", first.tone))
        }
        if let stalls = session["stalls"]?["count"]?.int { pieces.append(TextLine.Piece("stalls \(stalls)")) }
        if let frames = frames(session) { pieces.append(TextLine.Piece("frames \(frames)")) }
        let figures = pieces.isEmpty ? [] : TextLine.flow("", pieces, from: 3).prefix(1)
        return [sessionHead(session)] + errorLines(session, most: most) + figures
    }

    /// The source and what became of it.
    static func sessionHead(_ session: JSONValue) -> TextLine {
        // Of a long path the file's name; errors name it in full.
        var source = TextFormat.clean(session["source"]?.string ?? TextFormat.unknown)
        if TextLine.width(of: source) > 36, let name = SourceName.short(source) { source = TextFormat.clean(name) }
        var line = TextLine(" " + TextLine.cut(source, to: 36))
        line.pad(to: headColumn)
        let outcome = outcome(session)
        line.append(outcome.text, outcome.tone)
        let duration = session["media"]?["duration_ms"]?.number
        // Time in the state where the media is not known to have moved: of a log without positions.
        let mediaTime = session["media_time_ms"]?.number ?? session["states_ms"]?["playing"]?.number
        if let mediaTime, mediaTime > 0 {
            let played = duration.map { min($0, mediaTime) } ?? mediaTime
            line.append("    " + TextFormat.seconds(played) + (duration.map { " of \(TextFormat.seconds($0))" } ?? ""))
        }
        return line
    }

    /// What became of it, in words.
    static func outcome(_ session: JSONValue) -> TextLine.Piece {
        let reason = session["end_reason"]?.string
        return switch session["outcome"]?.string {
        case "complete": TextLine.Piece("complete", .good)
        case "partial" where reason == "interrupted": TextLine.Piece("interrupted", .bad)
        case "partial": TextLine.Piece("partial")
        case "ebvs" where reason == "interrupted": TextLine.Piece("interrupted before start", .bad)
        case "ebvs": TextLine.Piece("left before start")
        case "vsf": TextLine.Piece("failed to start", .bad)
        case "vpf": TextLine.Piece("failed in play", .bad)
        case "not_an_attempt": TextLine.Piece("not an attempt")
        case let word?: TextLine.Piece(TextFormat.clean(word))
        case nil: TextLine.Piece(TextFormat.unknown)
        }
    }

    /// The tracks, in words; nil if none is known.
    static func media(of media: JSONValue) -> String? {
        var tracks: [String] = []
        if let video = media["video"], !video.isNull {
            var text = video["codec"]?.string ?? "video"
            if let width = video["width"]?.int, let height = video["height"]?.int { text += " \(width)x\(height)" }
            if let rate = video["fps"]?.number { text += " \(TextFormat.trimmed(rate, places: 2)) fps" }
            tracks.append(text)
        }
        if let audio = media["audio"], !audio.isNull {
            var text = audio["codec"]?.string ?? "audio"
            if let rate = audio["rate"]?.number { text += " \(TextFormat.trimmed(rate / 1000, places: 2)) kHz" }
            tracks.append(text)
        }
        return tracks.isEmpty ? nil : TextFormat.clean(tracks.joined(separator: ", "))
    }

    static func isSoundOnly(_ session: JSONValue) -> Bool {
        session["media"]?["video"] == .null && session["media"]?["audio"]?.isNull == false
    }

    /// nil if nobody measured it.
    private static func firstFrame(_ session: JSONValue) -> [TextLine.Piece]? {
        guard let record = session["first_frame"] else { return nil }
        var pieces: [TextLine.Piece] = []
        if let total = record["total_ms"]?.number {
            pieces.append(TextLine.Piece(TextFormat.duration(total)))
            if let prepare = record["prepare_ms"]?.number, let render = record["render_ms"]?.number {
                let parts =
                    total < 999.5
                    ? [prepare, render].map { TextFormat.decimal($0, places: total < 99.95 ? 1 : 0) }
                    : [prepare, render].map(TextFormat.duration)
                pieces.append(TextLine.Piece("prepare \(parts[0]) + render \(parts[1])"))
            }
        } else {
            pieces.append(TextLine.Piece(isSoundOnly(session) ? "none, sound only" : "none"))
        }
        if let audio = record["first_audio_ms"]?.number {
            pieces.append(TextLine.Piece("first audio \(TextFormat.duration(audio))"))
        }
        return pieces
    }

    private static func stalls(_ session: JSONValue) -> [TextLine] {
        guard let count = session["stalls"]?["count"]?.int else { return [] }
        let times = { (count: Int64, total: Double?) in
            "\(count)" + (count == 0 ? "" : " in \(TextFormat.duration(total))")
        }
        var pieces = [TextLine.Piece(times(count, session["stalls"]?["total_ms"]?.number))]
        var label = "   stalls"
        if let stutters = session["stutter"]?["count"]?.int {
            pieces[0].text = "stalls " + pieces[0].text
            pieces.insert(TextLine.Piece(times(stutters, session["stutter"]?["total_ms"]?.number)), at: 0)
            label = "   stutter"
        }
        if let watched = session["watched_ms"]?.number {
            pieces.append(TextLine.Piece("watched \(TextFormat.seconds(watched))"))
        }
        return TextLine.flow(label, pieces, from: column, gap: 8)
    }

    /// Times without progress, the first ones.
    private static func stuckLines(_ session: JSONValue) -> [TextLine] {
        let stuck = session["stuck"]?.array ?? []
        guard !stuck.isEmpty else { return [] }
        var pieces = stuck.prefix(3).map { entry in
            let kind = TextFormat.clean(entry["kind"]?.string ?? TextFormat.unknown).replacing("_", with: " ")
            let (length, start) = (entry["duration_ms"]?.number, entry["start_ms"]?.number)
            return TextLine.Piece("\(kind) \(TextFormat.duration(length)) at \(TextFormat.seconds(start))", .bad)
        }
        if stuck.count > 3 { pieces.append(TextLine.Piece("and \(stuck.count - 3) more", .bad)) }
        return TextLine.flow("   stuck", pieces, from: column)
    }

    private static func frames(_ session: JSONValue) -> String? {
        guard let shown = session["frames"]?["presented"]?.int else { return nil }
        // Sound alone has no frames to speak of.
        if shown == 0, isSoundOnly(session) { return nil }
        var text = "\(shown) shown"
        if let late = session["frames"]?["dropped_late"]?.int {
            text += ", \(late) late"
            // Of a single one it goes without saying.
            if late > 1, let run = session["frames"]?["max_consecutive_dropped"]?.int, run > 0 {
                text += ", most in a row \(run)"
            }
        }
        for (key, words) in [("dropped_decoder", "dropped by the decoder"), ("skipped", "skipped")] {
            if let number = session["frames"]?[key]?.int, number != 0 { text += ", \(number) \(words)" }
        }
        if let slow = session["frames"]?["decoder_slow"]?.int, slow != 0 {
            text +=
                ", decoder slow \(TextFormat.count(Int(slow), "time")), \(TextFormat.duration(session["frames"]?["decoder_slow_ms"]?.number ?? 0))"
        }
        return text
    }

    private static func traffic(_ session: JSONValue) -> [TextLine] {
        guard let type = session["traffic"]?["type"]?.string else { return [] }
        let metered = session["traffic"]?["metered"]?.bool.map { $0 ? ", metered" : ", not metered" } ?? ""
        var pieces = [TextLine.Piece(TextFormat.clean(type) + metered)]
        if let retries = session["retries"]?.int, retries != 0 {
            pieces.append(TextLine.Piece("retries \(retries)", .bad))
        }
        return TextLine.flow("   traffic", pieces, from: column, gap: 4)
    }

    /// The error that ended it, else the first one, and how many there are besides.
    /// One line: what became of it and, if it failed, of what.
    static func sessionLine(_ session: JSONValue) -> TextLine {
        var line = sessionHead(session)
        if let error = errors(session).first(where: { $0["fatal"]?.bool == true }), let name = error["name"]?.string {
            let room = TextLine.limit - line.width - 4
            line.append("    " + TextLine.cut(TextFormat.clean(name), to: max(1, room)), .bad)
        }
        return line
    }

    private static func errors(_ session: JSONValue) -> [JSONValue] { session["errors"]?.array ?? [] }

    private static func errorLines(_ session: JSONValue, most: Int) -> [TextLine] {
        let errors = errors(session)
        guard let error = errors.first(where: { $0["fatal"]?.bool == true }) ?? errors.first else { return [] }
        var text = error["message"]?.string ?? TextFormat.unknown
        if let name = error["name"]?.string { text += " [\(name)\(error["code"]?.int.map { " \($0)" } ?? "")]" }
        if let hint = error["hint"]?.string, !hint.isEmpty { text += ". " + hint }
        if errors.count > 1 { text += " (and \(TextFormat.count(errors.count - 1, "more error")))" }
        return TextLine.wrapped("   error", TextFormat.clean(text), .bad, from: column, most: most)
    }
}
