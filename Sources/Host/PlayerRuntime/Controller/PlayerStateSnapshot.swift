// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// What a controller's player was doing at one moment.
public struct PlayerStateSnapshot: Hashable, Sendable {
    /// The session that it speaks of; nil before the first.
    public var session: SessionID?
    /// What the player does.
    public var playState = PlayerState.idle
    /// nil while it is not known.
    public var duration: MediaTime?
    /// Where playback is.
    public var currentPosition = MediaTime.zero
    /// Up to where media has been read; nil while it is not known.
    public var bufferedPosition: MediaTime?
    /// Whether playback, or its start, waits for data.
    public var isLoading = false
    /// 0 to 100 of what ends the loading; nil unless it loads.
    public var loadingProgress: Int?
    /// Whether a seek is under way.
    public var isSeeking = false
    /// Whether a frame of this session was shown.
    public var hasRenderedFirstFrame = false
    /// Pixels; nil without video or before it is known.
    public var videoWidth: Int?
    /// Pixels; nil without video or before it is known.
    public var videoHeight: Int?
    /// What is played; nil until it is prepared.
    public var media: MediaDescription?
    /// The tracks of the source; empty until they are known.
    public var tracks: [TrackInfo] = []
    /// The one of `tracks` that is played; nil without one or while it is not known.
    public var selectedVideoTrack: TrackInfo?
    /// The one of `tracks` that is played; nil without one or while it is not known.
    public var selectedAudioTrack: TrackInfo?
    /// How often the source began again in this session.
    public var loopCount: Int64 = 0
    /// What the user set on the controller: rate, loop, mute and volume. Not the session's; changes with the command.
    public var settings = PlaybackSettings()
    /// The last error of the session, fatal or not.
    public var lastError: PlayerError?

    /// Nothing was played yet.
    public init() {}
}

extension PlayerStateSnapshot {
    mutating func apply(_ events: Span<PlayerEvent>) {
        for index in events.indices {
            // Most events are positions; for those no event is copied.
            if events[index].type == .position {
                move(to: events[index].values[0], buffered: events[index].values[1])
            } else {
                apply(events[index])
            }
        }
    }

    mutating func apply(_ event: PlayerEvent) {
        switch event.type {
        case .request:
            let settings = settings
            self = PlayerStateSnapshot()
            self.settings = settings
            session = event.session
        case .state:
            if let state = event.playerState { playState = state }
        case .prepared:
            media = event.media
            duration = event.media?.duration
            videoWidth = event.media?.video?.width
            videoHeight = event.media?.video?.height
            selectOnlyTracks()
        case .trackReady:
            tracks = event.tracks ?? []
            selectOnlyTracks()
        case .trackChanged, .rendition: select(event.trackIndex)
        case .firstVideoFrame:
            hasRenderedFirstFrame = hasRenderedFirstFrame || event.values[1] == 0
        case .position: move(to: event.values[0], buffered: event.values[1])
        case .loop: loopCount = event.value(0) ?? loopCount + 1
        case .loadingBegin where !isLoading:
            isLoading = true
            loadingProgress = 0
        case .loadingEnd:
            isLoading = false
            loadingProgress = nil
        case .loadingProgress where isLoading: loadingProgress = Int(clamping: min(max(event.values[0], 0), 100))
        case .seekBegin: isSeeking = true
        case .seekEnd:
            isSeeking = false
            if let position = MediaTime(known: event.values[0]) { currentPosition = position }
        case .seekSuperseded, .seekFailed: isSeeking = false
        case .videoSize:
            videoWidth = event.value(0).map(Int.init(clamping:))
            videoHeight = event.value(1).map(Int.init(clamping:))
        case .error:
            guard let (error, isFatal) = event.failure else { return }
            lastError = error
            if isFatal { end(in: .error) }
        case .completed: end(in: .completed)
        case .stop, .evict, .takenOver, .destroy: end(in: .stopped)
        default: break
        }
    }

    private mutating func move(to position: Int64, buffered: Int64) {
        if let position = MediaTime(known: position) { currentPosition = position }
        bufferedPosition = MediaTime(known: buffered)
    }

    private mutating func end(in state: PlayerState) {
        playState = state
        isLoading = false
        loadingProgress = nil
        isSeeking = false
    }

    private mutating func select(_ index: Int?) {
        guard let track = tracks.first(where: { $0.index == index }) else { return }
        switch track.kind {
        case .video: selectedVideoTrack = track
        case .audio: selectedAudioTrack = track
        case .subtitle: break
        }
    }

    /// Where a kind is played and there is one track of it, it is that one.
    private mutating func selectOnlyTracks() {
        func only(_ kind: TrackInfo.Kind) -> TrackInfo? {
            let candidates = tracks.filter { $0.kind == kind }
            return candidates.count == 1 ? candidates[0] : nil
        }
        if media?.video != nil, selectedVideoTrack == nil { selectedVideoTrack = only(.video) }
        if media?.audio != nil, selectedAudioTrack == nil { selectedAudioTrack = only(.audio) }
    }
}
