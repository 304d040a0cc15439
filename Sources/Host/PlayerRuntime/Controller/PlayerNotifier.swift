// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import MediaCore
internal import Synchronization

/// Turns events into the calls of `PlayerNotificationDelegate` and makes them on the delivery queue.
///
/// Positions and loading progress that wait next to each other are merged, and at most `backlogLimit` calls wait: a queue that
/// never drains costs no memory and holds nobody up.
///
/// Thread: `receive` the dispatcher's, the rest any.
final class PlayerNotifier: EventSink {
    static let backlogLimit = 1024

    fileprivate enum Call {
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

        /// Whether `next` says the same, only newer.
        func isReplaced(by next: Call) -> Bool {
            switch (self, next) {
            case (.position, .position), (.loadingProgress, .loadingProgress): true
            default: false
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

    fileprivate struct WeakDelegate {
        weak var delegate: (any PlayerNotificationDelegate)?
    }

    fileprivate struct State {
        var delegates: [WeakDelegate] = []
        var pending: [Call] = []
        /// Calls that found no room, and how many of them there were when that was last said.
        var lost = 0
        var lostSaid = 0
        var isScheduled = false
        var snapshot = PlayerStateSnapshot()
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let log: LogHub

    init(queue: DispatchQueue, log: LogHub) {
        self.queue = queue
        self.log = log
    }

    deinit {
        let (lost, said) = state.withLock { ($0.lost, $0.lostSaid) }
        if lost > said { complain(lost) }
    }

    func add(_ delegate: any PlayerNotificationDelegate) {
        replace(delegate) { $0.append(WeakDelegate(delegate: delegate)) }
    }

    func remove(_ delegate: any PlayerNotificationDelegate) {
        replace(delegate) { _ in }
    }

    /// Takes a delegate out, and those that are gone, then lets `change` add.
    private func replace(_ delegate: any PlayerNotificationDelegate, _ change: (inout [WeakDelegate]) -> Void) {
        // Held until the lock is given back: the end of a delegate may call back.
        let held = state.withLock { state in
            let held = state.delegates.compactMap(\.delegate)
            state.delegates = held.filter { $0 !== delegate }.map(WeakDelegate.init)
            change(&state.delegates)
            return held
        }
        withExtendedLifetime(held) {}
    }

    let interest = PlayerStateSnapshot.interest

    func receive(_ events: [PlayerEvent]) {
        let (mustSchedule, lost) = state.withLock { state in
            for event in events { state.note(event) }
            defer { state.isScheduled = state.isScheduled || !state.pending.isEmpty }
            return (!state.isScheduled && !state.pending.isEmpty, state.newLoss())
        }
        if let lost { complain(lost) }
        if mustSchedule { queue.async { self.deliver() } }
    }

    private func complain(_ lost: Int) {
        log.w(
            "PlayerNotifier",
            "notifications lost so far: \(lost); the delivery queue does not keep up, return sooner from what it runs")
    }

    private func deliver() {
        while true {
            let (calls, delegates) = state.withLock { state in
                let taken = (state.pending, state.delegates.compactMap(\.delegate))
                state.pending = []
                state.isScheduled = !taken.0.isEmpty
                return taken
            }
            if calls.isEmpty { return }
            for call in calls { for delegate in delegates { call.make(to: delegate) } }
        }
    }
}

extension PlayerNotifier.State {
    fileprivate mutating func note(_ event: PlayerEvent) {
        let former = snapshot
        snapshot.apply(event)
        if former.isLoading, !snapshot.isLoading { append(.loadingEnd) }
        if snapshot.playState != former.playState {
            append(.state(snapshot.playState))
            if snapshot.playState == .completed { append(.completion) }
        }
        switch event.type {
        case .prepared:
            append(.prepared(snapshot.duration))
            if let width = snapshot.videoWidth, let height = snapshot.videoHeight { append(.videoSize(width, height)) }
        case .videoSize where (snapshot.videoWidth, snapshot.videoHeight) != (former.videoWidth, former.videoHeight):
            if let width = snapshot.videoWidth, let height = snapshot.videoHeight { append(.videoSize(width, height)) }
        case .firstVideoFrame where snapshot.hasRenderedFirstFrame && !former.hasRenderedFirstFrame:
            append(.firstFrame)
        case .position: append(.position(snapshot.currentPosition, snapshot.duration, snapshot.bufferedPosition))
        case .error:
            if let (error, _) = event.failure { append(.error(error)) }
        case .loadingBegin where !former.isLoading: append(.loadingBegin)
        case .loadingProgress:
            if let progress = snapshot.loadingProgress { append(.loadingProgress(progress)) }
        case .seekEnd where former.isSeeking: append(.seek(snapshot.currentPosition))
        case .trackReady: append(.tracks(snapshot.tracks))
        case .trackChanged:
            if let track = snapshot.tracks.first(where: { $0.index == event.trackIndex }) { append(.track(track)) }
        default: break
        }
    }

    /// How many calls were lost, if that is worth a line: the first time, and each time that it has grown tenfold.
    fileprivate mutating func newLoss() -> Int? {
        guard lost > 0, lost >= lostSaid * 10 else { return nil }
        lostSaid = lost
        return lost
    }

    private mutating func append(_ call: PlayerNotifier.Call) {
        if delegates.isEmpty { return }
        if let last = pending.last, last.isReplaced(by: call) { pending.removeLast() }
        guard pending.count < PlayerNotifier.backlogLimit else {
            lost += 1
            return
        }
        pending.append(call)
    }
}
