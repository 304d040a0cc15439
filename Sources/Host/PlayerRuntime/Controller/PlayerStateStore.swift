// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Synchronization

/// What a controller's player was doing at one moment.
public struct PlayerStateSnapshot: Hashable, Sendable {
    /// The session that it speaks of; nil before the first.
    public var session: SessionID?
    public var playState = PlayerState.idle
    /// nil while it is not known.
    public var duration: MediaTime?
    public var currentPosition = MediaTime.zero
    /// nil while it is not known.
    public var bufferedPosition: MediaTime?
    public var isLoading = false
    /// Whether a frame of this session was shown.
    public var hasRenderedFirstFrame = false
    /// Pixels; nil without video or before it is known.
    public var videoWidth: Int?
    public var videoHeight: Int?
    /// What is played; nil until it is prepared.
    public var media: MediaDescription?
    /// The last error of the session, fatal or not.
    public var lastError: PlayerError?

    public init() {}
}

/// The state of a controller's player as far as its events have been delivered.
///
/// Thread: any; each read is one consistent snapshot.
public final class PlayerStateStore: EventSink {
    private let current = Mutex(PlayerStateSnapshot())

    init() {}

    public var snapshot: PlayerStateSnapshot { current.withLock { $0 } }
    public var playState: PlayerState { snapshot.playState }
    /// nil while it is not known.
    public var duration: MediaTime? { snapshot.duration }
    public var currentPosition: MediaTime { snapshot.currentPosition }
    /// nil while it is not known.
    public var bufferedPosition: MediaTime? { snapshot.bufferedPosition }

    package let interest = EventMask(
        .request, .state, .prepared, .firstVideoFrame, .position, .loadingBegin, .loadingEnd, .videoSize, .error,
        .completed, .stop, .evict, .takenOver, .destroy)

    package func receive(_ events: [PlayerEvent]) {
        current.withLock { snapshot in
            for event in events { snapshot.apply(event) }
        }
    }
}

extension PlayerStateSnapshot {
    mutating func apply(_ event: PlayerEvent) {
        switch event.type {
        case .request:
            self = PlayerStateSnapshot()
            session = event.session
        case .state:
            if let state = event.playerState { playState = state }
        case .prepared:
            media = event.media
            duration = event.media?.duration
            videoWidth = event.media?.video?.width
            videoHeight = event.media?.video?.height
        case .firstVideoFrame:
            hasRenderedFirstFrame = hasRenderedFirstFrame || event.values[1] == 0
        case .position:
            if let position = MediaTime(known: event.values[0]) { currentPosition = position }
            bufferedPosition = MediaTime(known: event.values[1])
        case .loadingBegin: isLoading = true
        case .loadingEnd: isLoading = false
        case .videoSize:
            videoWidth = event.value(0).map(Int.init(clamping:))
            videoHeight = event.value(1).map(Int.init(clamping:))
        case .error:
            guard let (error, isFatal) = event.failure else { return }
            lastError = error
            if isFatal { playState = .error }
        case .completed:
            playState = .completed
            isLoading = false
        case .stop, .evict, .takenOver, .destroy:
            playState = .stopped
            isLoading = false
        default: break
        }
    }
}
