// SPDX-License-Identifier: Apache-2.0

// The one place that reads an event's values by meaning. Each returns nil when the event is of another type or the value is unknown.

extension PlayerEvent {
    /// `request`, `sourceSwitch`: the source as it was given, without secrets.
    public var source: String? {
        guard let split = sourceSplit else { return nil }
        return String(text[..<split])
    }

    /// `request`, `sourceSwitch`: the canonical identity of the source.
    public var uniqueID: String? {
        guard let split = sourceSplit else { return nil }
        return String(text[split...])
    }

    private var sourceSplit: String.Index? {
        guard type == .request || type == .sourceSwitch else { return nil }
        let bytes = text.utf8
        let count = Int(clamping: max(0, min(values[0], Int64(bytes.count))))
        var index = bytes.index(bytes.startIndex, offsetBy: count)
        // A hostile log may point into the middle of a scalar. The middle of a character is no such place: what the one text
        // ends with may combine with what the other begins with.
        while index > bytes.startIndex, String.Index(index, within: text.unicodeScalars) == nil {
            index = bytes.index(before: index)
        }
        return index
    }

    /// `state`: the player state.
    public var playerState: PlayerState? {
        type == .state ? Int32(exactly: values[0]).flatMap(PlayerState.init(rawValue:)) : nil
    }

    /// `prepared`: what the media is.
    public var media: MediaDescription? {
        guard type == .prepared else { return nil }
        let lines = TextLines(text)
        var media = MediaDescription(container: lines[0])
        media.duration = count(0).map(MediaTime.init(microseconds:))
        media.isSeekable = flags.contains(.seekable)
        if let width = count(1), let height = count(2), !lines[1].isEmpty {
            media.video = VideoDescription(
                codec: lines[1], width: Int(clamping: width), height: Int(clamping: height),
                framesPer1000Seconds: count(3))
        }
        if let rate = count(4), let channels = count(5), !lines[2].isEmpty {
            media.audio = AudioDescription(
                codec: lines[2], sampleRate: Int(clamping: rate), channels: Int(clamping: channels))
        }
        return media
    }

    /// `frames`: cumulative counts of the session; nil if any of them is not known, the run of late ones aside.
    public var frameCounts: FrameCounts? {
        guard type == .frames, (0..<5).allSatisfy({ value($0) != nil }) else { return nil }
        return FrameCounts(
            decoded: values[0], presented: values[1], droppedLate: values[2], droppedByDecoder: values[3],
            skipped: values[4], maxConsecutiveDropped: value(5))
    }

    /// `trackReady`: the tracks of the source.
    public var tracks: [TrackInfo]? {
        guard type == .trackReady else { return nil }
        return text.split(separator: "\n").compactMap(TrackInfo.init(line:))
    }

    /// `trackChanged`, `rendition`: the index of the track that is played from now on.
    public var trackIndex: Int? {
        switch type {
        case .trackChanged: value(0).flatMap(Int.init(exactly:))
        case .rendition: Int(text)
        default: nil
        }
    }

    /// `network`: what the machine is connected through from now on.
    public var network: NetworkType? {
        type == .network ? Int32(exactly: values[0]).flatMap(NetworkType.init(rawValue:)) : nil
    }

    /// `error`: its code, texts and whether it ended the session.
    public var failure: (error: PlayerError, isFatal: Bool)? {
        guard type == .error else { return nil }
        let lines = TextLines(text)
        let code = ErrorCode(rawValue: Int32(truncatingIfNeeded: values[0]), name: lines[0])
        var error = PlayerError(code, lines[1], hint: lines[2])
        error.httpStatus = value(2).flatMap { Int(exactly: $0) }
        return (error, values[1] != 0)
    }

    /// `stop`: why.
    public var stopReason: StopReason? {
        type == .stop ? Int32(exactly: values[0]).flatMap(StopReason.init(rawValue:)) ?? .user : nil
    }
}
