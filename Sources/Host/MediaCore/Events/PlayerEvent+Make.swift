// SPDX-License-Identifier: Apache-2.0

// The one place that writes an event's values. Every function leaves controller, session and time to `EventOutput`.

extension PlayerEvent {
    private static func make(
        _ type: EventType, _ v0: Int64 = 0, _ v1: Int64 = 0, _ v2: Int64 = 0, _ v3: Int64 = 0, _ v4: Int64 = 0,
        _ v5: Int64 = 0, text: String = "", flags: EventFlags = []
    ) -> PlayerEvent {
        PlayerEvent(type, values: [v0, v1, v2, v3, v4, v5], text: text, flags: flags)
    }

    /// A session opens. `uniqueID` must already be free of secrets.
    public static func request(
        source: String, uniqueID: String, player: Int64?, instance: PlayerInstanceKind, continuedFrom: SessionID?
    ) -> PlayerEvent {
        make(
            .request, Int64(source.utf8.count), player ?? unknown, Int64(instance.rawValue),
            continuedFrom.map { Int64($0.rawValue) } ?? unknown, text: source + uniqueID)
    }

    public static func attach(player: Int64) -> PlayerEvent { make(.attach, player) }
    public static func detach(player: Int64) -> PlayerEvent { make(.detach, player) }
    /// The player entered `state`.
    public static func state(_ state: PlayerState) -> PlayerEvent { make(.state, Int64(state.rawValue)) }
    public static var playIntent: PlayerEvent { make(.playIntent) }
    public static var pauseIntent: PlayerEvent { make(.pauseIntent) }
    /// `container`: its short name as libavformat has it.
    public static func opened(container: String) -> PlayerEvent { make(.opened, text: container) }
    public static func streamInfo(tracks: Int) -> PlayerEvent { make(.streamInfo, Int64(tracks)) }
    public static var firstPacket: PlayerEvent { make(.firstPacket) }
    public static var firstDecoded: PlayerEvent { make(.firstDecoded) }

    /// What is not known of `media` stays unknown in the event.
    public static func prepared(_ media: MediaDescription) -> PlayerEvent {
        make(
            .prepared, media.duration?.microseconds ?? unknown, media.video.map { Int64($0.width) } ?? unknown,
            media.video.map { Int64($0.height) } ?? unknown, media.video?.framesPer1000Seconds ?? unknown,
            media.audio.map { Int64($0.sampleRate) } ?? unknown, media.audio.map { Int64($0.channels) } ?? unknown,
            text: TextLines.join(media.container, media.video?.codec ?? "", media.audio?.codec ?? ""),
            flags: media.isSeekable ? .seekable : [])
    }

    /// `isPreview`: shown to nobody who asked for it yet.
    public static func firstVideoFrame(pts: MediaTime, isPreview: Bool = false) -> PlayerEvent {
        make(.firstVideoFrame, pts.microseconds, isPreview ? 1 : 0)
    }

    /// `pts`: that of the first sample.
    public static func firstAudio(pts: MediaTime) -> PlayerEvent { make(.firstAudio, pts.microseconds) }

    /// `buffered`: nil while it is not known. `soundOffset`: by how many microseconds sound was ahead of the newest picture when that was
    /// presented; nil if it is not known, or has been told.
    public static func position(
        _ position: MediaTime, buffered: MediaTime?, soundOffset: Int64? = nil
    ) -> PlayerEvent {
        make(.position, position.microseconds, buffered?.microseconds ?? unknown, soundOffset ?? unknown)
    }

    public static var tick: PlayerEvent { make(.tick) }
    /// `slept`: microseconds.
    public static func suspended(slept: Int64) -> PlayerEvent { make(.suspended, slept) }

    /// `stoppedAt`: when the output stopped, if that was earlier. `endOfFile`: nothing more will be read.
    public static func loadingBegin(
        cause: LoadingCause, stoppedAt: EventTime? = nil, endOfFile: Bool = false
    ) -> PlayerEvent {
        make(
            .loadingBegin, Int64(cause.rawValue), stoppedAt?.microseconds ?? unknown,
            flags: endOfFile ? .endOfFile : [])
    }

    public static var loadingEnd: PlayerEvent { make(.loadingEnd) }
    /// `percent`: 0 to 100.
    public static func loadingProgress(_ percent: Int) -> PlayerEvent { make(.loadingProgress, Int64(percent)) }
    public static var demuxEOF: PlayerEvent { make(.demuxEOF) }
    public static var demuxUnderrun: PlayerEvent { make(.demuxUnderrun) }
    public static var outputUnderrun: PlayerEvent { make(.outputUnderrun) }
    /// - Parameter stoppedAt: since when the output has had nothing.
    public static func decoderSlow(stoppedAt: EventTime? = nil) -> PlayerEvent {
        make(.decoderSlow, stoppedAt?.microseconds ?? unknown)
    }
    /// `target`: as it was asked for, even past the end.
    public static func seekBegin(to target: MediaTime) -> PlayerEvent { make(.seekBegin, target.microseconds) }
    /// `position`: that of the first frame presented there.
    public static func seekEnd(at position: MediaTime) -> PlayerEvent { make(.seekEnd, position.microseconds) }
    public static var seekSuperseded: PlayerEvent { make(.seekSuperseded) }
    /// `reason`: a sentence without secrets.
    public static func seekFailed(_ reason: String) -> PlayerEvent {
        make(.seekFailed, text: reason.escapingControls)
    }

    /// `rate`: media time over real time, told in thousandths.
    public static func rate(_ rate: Double) -> PlayerEvent { make(.rate, Int64((rate * 1000).rounded())) }
    /// `count`: wraps so far.
    public static func loop(count: Int64) -> PlayerEvent { make(.loop, count) }
    /// `volume`: 0 to 1.
    public static func mute(_ isMuted: Bool, volume: Double) -> PlayerEvent {
        make(.mute, isMuted ? 1 : 0, Int64((volume * 1000).rounded()))
    }

    /// The video track that is decoded from now on.
    public static func rendition(_ track: TrackInfo) -> PlayerEvent {
        make(
            .rendition, track.width.map(Int64.init) ?? unknown, track.height.map(Int64.init) ?? unknown,
            track.bitrate ?? unknown, text: String(track.index))
    }

    /// `tracks`: in the order of the container.
    public static func trackReady(_ tracks: [TrackInfo]) -> PlayerEvent {
        make(.trackReady, Int64(tracks.count), text: tracks.map(\.line).joined(separator: "\n"))
    }

    /// `track`: the one that is played from now on.
    public static func trackChanged(_ track: TrackInfo) -> PlayerEvent {
        make(.trackChanged, Int64(track.index), text: track.kind.rawValue)
    }

    /// In pixels.
    public static func videoSize(width: Int, height: Int) -> PlayerEvent {
        make(.videoSize, Int64(width), Int64(height))
    }

    /// `counts`: since the session began.
    public static func frames(_ counts: FrameCounts) -> PlayerEvent {
        make(
            .frames, counts.decoded, counts.presented, counts.droppedLate, counts.droppedByDecoder, counts.skipped,
            counts.maxConsecutiveDropped ?? unknown)
    }

    /// `presented`: pictures in a full second of playing. `seconds`: of so many in a row that is true.
    public static func frameRate(presented: Int64, seconds: Int64 = 1) -> PlayerEvent {
        make(.frameRate, presented, seconds)
    }

    /// `gap`: microseconds of playing from the end of one pass to the first picture or sound of the next.
    public static func loopGap(_ gap: Int64) -> PlayerEvent { make(.loopGap, gap) }

    /// `counts`: since the session began.
    public static func bytes(_ counts: ByteCounts) -> PlayerEvent {
        make(.bytes, counts.read, counts.arrival?.count ?? unknown, counts.arrival?.duration ?? unknown)
    }

    /// `attempt`: the first is 1.
    public static func retry(attempt: Int, reason: String) -> PlayerEvent {
        make(.retry, Int64(attempt), text: reason.escapingControls)
    }

    /// `metered`: nil if it is not known.
    public static func network(_ type: NetworkType, metered: Bool?) -> PlayerEvent {
        make(.network, Int64(type.rawValue), metered.map { $0 ? 1 : 0 } ?? unknown)
    }

    public static func network(_ state: NetworkState) -> PlayerEvent { network(state.type, metered: state.isMetered) }

    /// The cause stays behind: it may hold what a log must not.
    public static func error(_ error: PlayerError, isFatal: Bool) -> PlayerEvent {
        make(
            .error, Int64(error.code.rawValue), isFatal ? 1 : 0, error.httpStatus.map(Int64.init) ?? unknown,
            text: TextLines.join(error.code.name, error.message.escapingControls, error.hint.escapingControls))
    }

    public static var completed: PlayerEvent { make(.completed) }
    /// The terminal event of a stop, whoever asked for it.
    public static func stop(_ reason: StopReason) -> PlayerEvent { make(.stop, Int64(reason.rawValue)) }

    /// `uniqueID` must already be free of secrets.
    public static func sourceSwitch(source: String, uniqueID: String) -> PlayerEvent {
        make(.sourceSwitch, Int64(source.utf8.count), text: source + uniqueID)
    }

    public static var evict: PlayerEvent { make(.evict) }
    public static var takenOver: PlayerEvent { make(.takenOver) }
    public static var destroy: PlayerEvent { make(.destroy) }
    public static var foreground: PlayerEvent { make(.foreground) }
    public static var background: PlayerEvent { make(.background) }

    /// `rawState` is a `KIT_SESSION_*` number; `cause` the type of the event that led there.
    public static func sessionState(rawState: Int64, cause: EventType) -> PlayerEvent {
        make(.sessionState, rawState, Int64(cause.rawValue))
    }
}
