// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import MediaCore

/// Turns changes of the state into the calls of `PlayerNotificationDelegate`, made on the delivery queue. Positions and loading progress that
/// wait next to each other are merged.
///
/// Thread: any.
final class PlayerNotifier: Sendable {
    enum Call: DeliveredCall {
        case state(PlayerState)
        case prepared(MediaTime?)
        case firstFrame
        case completion
        case position(MediaTime, MediaTime?, MediaTime?)
        case error(PlayerError)
        case videoSize(Int, Int)
        case loadingBegin
        case loadingEnd
        case loadingProgress(Int)
        case seek(MediaTime)
        case tracks([TrackInfo])
        case track(TrackInfo)

        func outdated(in pending: [Call]) -> Int? {
            switch (pending.last, self) {
            case (.position, .position), (.loadingProgress, .loadingProgress): pending.count - 1
            default: nil
            }
        }

        func make(to delegate: any PlayerNotificationDelegate) {
            switch self {
            case .state(let state): delegate.playerDidChangeState(state)
            case .prepared(let duration): delegate.playerDidPrepared(duration: duration)
            case .firstFrame: delegate.playerDidRenderFirstFrame()
            case .completion: delegate.playerDidCompletion()
            case .position(let position, let duration, let buffered):
                delegate.playerDidUpdateCurrentPosition(position, duration: duration, bufferedPosition: buffered)
            case .error(let error): delegate.playerDidEncounterError(error)
            case .videoSize(let width, let height): delegate.playerDidChangeVideo(width: width, height: height)
            case .loadingBegin: delegate.playerDidLoadingBegin()
            case .loadingEnd: delegate.playerDidLoadingEnd()
            case .loadingProgress(let progress): delegate.playerDidUpdateLoadingProgress(progress)
            case .seek(let position): delegate.playerDidSeek(to: position)
            case .tracks(let tracks): delegate.playerDidTrackReady(tracks)
            case .track(let track): delegate.playerDidTrackChanged(track)
            }
        }
    }

    private let backlog: DeliveryBacklog<Call>

    init(queue: DispatchQueue, log: LogHub) {
        backlog = DeliveryBacklog(of: "notifications", on: queue, log: log)
    }

    func add(_ delegate: any PlayerNotificationDelegate) {
        backlog.add(delegate) { [weak delegate] in delegate }
    }

    func remove(_ delegate: any PlayerNotificationDelegate) {
        backlog.remove(delegate)
    }

    var hasDelegates: Bool { backlog.hasReceivers }

    /// Has calls made after those that wait.
    func append(_ calls: [Call]) {
        backlog.append(calls)
    }

    /// What delegates are told of `event`, which changed the state from `former` to `snapshot`.
    static func calls(
        for event: PlayerEvent, from former: PlayerStateSnapshot, to snapshot: PlayerStateSnapshot
    ) -> [Call] {
        var calls: [Call] = []
        if former.isLoading, !snapshot.isLoading { calls.append(.loadingEnd) }
        if snapshot.playState != former.playState {
            calls.append(.state(snapshot.playState))
            if snapshot.playState == .completed { calls.append(.completion) }
        }
        switch event.type {
        case .prepared:
            calls.append(.prepared(snapshot.duration))
            if let width = snapshot.videoWidth, let height = snapshot.videoHeight {
                calls.append(.videoSize(width, height))
            }
        case .videoSize where (snapshot.videoWidth, snapshot.videoHeight) != (former.videoWidth, former.videoHeight):
            if let width = snapshot.videoWidth, let height = snapshot.videoHeight {
                calls.append(.videoSize(width, height))
            }
        case .firstVideoFrame where snapshot.hasRenderedFirstFrame && !former.hasRenderedFirstFrame:
            calls.append(.firstFrame)
        case .position:
            calls.append(.position(snapshot.currentPosition, snapshot.duration, snapshot.bufferedPosition))
        case .error:
            if let (error, _) = event.failure { calls.append(.error(error)) }
        case .loadingBegin where !former.isLoading: calls.append(.loadingBegin)
        case .loadingProgress:
            if let progress = snapshot.loadingProgress { calls.append(.loadingProgress(progress)) }
        case .seekEnd where former.isSeeking: calls.append(.seek(snapshot.currentPosition))
        case .trackReady: calls.append(.tracks(snapshot.tracks))
        case .trackChanged:
            if let track = snapshot.tracks.first(where: { $0.index == event.trackIndex }) {
                calls.append(.track(track))
            }
        default: break
        }
        return calls
    }
}
