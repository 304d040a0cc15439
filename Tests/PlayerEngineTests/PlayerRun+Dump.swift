// SPDX-License-Identifier: Apache-2.0

import MediaCore

extension PlayerRun {
    /// What happened, without times. Events of one thread are in order; those of different threads are on different lines, since
    /// nothing orders them.
    var dump: String {
        let source: [EventType] = [.opened, .streamInfo, .prepared, .firstPacket, .demuxEOF]
        let presentation: [EventType] = [
            .videoSize, .firstVideoFrame, .firstAudio, .loadingBegin, .loadingEnd, .outputUnderrun, .demuxUnderrun,
            .decoderSlow, .completed,
        ]
        func line(_ name: String, _ types: [EventType]) -> String {
            ([name] + events.filter { types.contains($0.type) }.map(PlayerRun.word)).joined(separator: " ")
        }
        var lines = [
            "states \(states.map { "\($0)" }.joined(separator: " "))",
            line("source", source),
            line("shown", presentation),
            "media \(media.map(PlayerRun.text) ?? "none")",
            "frames decoded \(counts.decoded) presented \(counts.presented) late \(counts.droppedLate) "
                + "undecodable \(counts.droppedByDecoder) skipped \(counts.skipped)",
            "end \(events.last { $0.type == .position }.map { "\($0.values[0] / 1000)" } ?? "none")",
        ]
        lines += failures.map { "\($0.isFatal ? "fatal" : "error") \($0.error.code.name)" }
        return lines.joined(separator: "\n")
    }

    private static func word(_ event: PlayerEvent) -> String {
        switch event.type {
        case .opened: "opened"
        case .streamInfo: "tracks:\(event.values[0])"
        case .prepared: "prepared"
        case .firstPacket: "packet"
        case .demuxEOF: "eof"
        case .videoSize: "size:\(event.values[0])x\(event.values[1])"
        case .firstVideoFrame: "picture:\(event.values[0] / 1000)"
        case .firstAudio: "sound:\(event.values[0] / 1000)"
        case .completed: "completed"
        default: "event:\(event.type.rawValue)"
        }
    }

    private static func text(_ media: MediaDescription) -> String {
        let video = media.video.map {
            "\($0.codec) \($0.width)x\($0.height) \($0.framesPer1000Seconds.map { "\($0)" } ?? "?")"
        }
        let audio = media.audio.map { "\($0.codec) \($0.sampleRate) \($0.channels)" }
        return [
            media.container, media.duration.map { "\($0.microseconds / 1000)" } ?? "?",
            media.isSeekable ? "seekable" : "fixed",
            video ?? "no video", audio ?? "no audio",
        ].joined(separator: " | ")
    }
}
