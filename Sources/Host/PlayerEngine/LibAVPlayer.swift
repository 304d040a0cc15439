// SPDX-License-Identifier: Apache-2.0

package import MediaCore
internal import Synchronization

/// Plays media with libavformat and libavcodec.
///
/// An idle, stopped, completed or failed player owns no thread. Playing, it owns up to four: `kit-demux` opens and reads the source,
/// `kit-video` and `kit-audio` decode, `kit-present` presents; libav adds the threads
/// that decode video with `kit-video`.
///
/// Thread: any.
package final class LibAVPlayer: MediaPlayer {
    private struct State {
        /// What the player is in while there is no playback.
        var resting = PlayerState.idle
        var model: PlayerModel?
        var output: EventOutput?
        var playback: Playback?
        var settings = PlaybackSettings()
        /// The source has been set and not prepared; what is asked for until then is taken up when it is.
        var isFresh = false
        var requests: [MoveRequest] = []
        var isDestroyed = false

        var target: (model: PlayerModel, output: EventOutput)? {
            guard let model, let output else { return nil }
            return (model, output)
        }

        mutating func forgetSource() {
            model = nil
            output = nil
            isFresh = false
            requests = []
        }
    }

    package let playerID: Int64
    private let clock: any MediaClock
    private let sinks: SinkFactory
    private let kept: KeptParts
    private let shared = Mutex(State())
    /// Orders the commands that start and end playbacks. Held while threads are joined, up to `stopMilliseconds`, and never while
    /// an event is posted: posting may wait for the dispatcher, and a strategy on the dispatcher may be waiting here.
    private let gate = Mutex(())

    private static let idSource = Atomic<Int64>(0)
    private static let stopMilliseconds = 400
    /// Requests kept for a source that is not prepared; the newest counts.
    private static let requestLimit = 16

    /// Playbacks whose threads did not end in time when they were stopped, and have not yet.
    package static var parkedCount: Int { Playback.parkedCount }

    init(clock: any MediaClock, sinks: SinkFactory, shelf: DecoderShelf) {
        playerID = LibAVPlayer.idSource.add(1, ordering: .relaxed).newValue
        self.clock = clock
        self.sinks = sinks
        kept = KeptParts(shelf: shelf)
    }

    deinit {
        // First, so that nothing is kept.
        kept.close()
        endPlayback()
    }

    package var state: PlayerState {
        shared.withLock { $0.playback?.control.published.state ?? $0.resting }
    }

    package var currentPosition: MediaTime {
        shared.withLock { $0.playback?.control.published.position ?? .zero }
    }

    package var duration: MediaTime? {
        shared.withLock { $0.playback?.control.published.duration }
    }

    package var bufferedPosition: MediaTime? { control?.bufferedPosition }

    package var tracks: [TrackInfo] { control?.published.tracks ?? [] }

    package var settings: PlaybackSettings { shared.withLock { $0.settings } }

    package var wantsPlay: Bool { control?.wantsPlay ?? false }

    package var session: SessionID? { shared.withLock { $0.output?.session } }

    package var model: PlayerModel? { shared.withLock { $0.model } }

    private var control: PlaybackControl? { shared.withLock { $0.playback?.control } }

    package func seek(to target: MediaTime, mode: SeekMode) {
        request(.seek(to: target.bounded, mode: mode))
    }

    package func selectTrack(_ index: Int) {
        request(.track(index: index))
    }

    private func request(_ request: MoveRequest) {
        let control: PlaybackControl? = shared.withLock { state in
            guard state.isFresh else { return state.playback?.control }
            if state.requests.count == LibAVPlayer.requestLimit { state.requests.removeFirst() }
            state.requests.append(request)
            return nil
        }
        control?.request(request)
    }

    package func apply(_ settings: PlaybackSettings) {
        // With the lock: of two calls the later one must win in the playback as well.
        shared.withLock { state in
            guard !state.isDestroyed else { return }
            state.settings = settings
            state.playback?.control.settings = settings
        }
    }

    package func setDataSource(_ model: PlayerModel, output: EventOutput) throws(PlayerError) {
        let refusal: PlayerError? = gate.withLock { _ in
            guard let state = rest() else {
                return PlayerError(.illegalState, "Player \(playerID) is destroyed", hint: "Acquire another one.")
            }
            guard !state.isActive else {
                return PlayerError(
                    .illegalState, "Player \(playerID) cannot take a source while it is \(state)",
                    hint: "Stop it first.")
            }
            shared.withLock { state in
                state.model = model
                state.output = output
                state.isFresh = true
                state.requests = []
            }
            return nil
        }
        if let refusal { throw refusal }
    }

    package func prepare() {
        let failed: (control: PlaybackControl, error: PlayerError)? = gate.withLock { _ in
            guard let state = rest(), !state.isActive, let (model, output) = shared.withLock(\.target) else {
                return nil
            }
            let (settings, requests) = shared.withLock { state in
                defer { state.requests = [] }
                return (state.settings, state.requests)
            }
            let control = PlaybackControl(
                clock: clock, output: output, configuration: model.configuration, settings: settings,
                requests: requests, kept: kept)
            do throws(PlayerError) {
                let playback = try Playback(model, control: control, sinks: sinks)
                shared.withLock { state in
                    state.playback = playback
                    state.isFresh = false
                    // What has come meanwhile.
                    if state.settings != settings { control.settings = state.settings }
                    for request in state.requests { control.request(request) }
                    state.requests = []
                }
                return nil
            } catch {
                shared.withLock { $0.resting = .error }
                return (control, error)
            }
        }
        if let failed { failed.control.fail(failed.error) }
    }

    package func start() {
        shared.withLock { $0.playback }?.control.wantsPlay = true
    }

    package func preview() {
        shared.withLock { $0.playback }?.control.wantsPreview = true
    }

    package func attach(to output: EventOutput, farewell: PlayerEvent) -> Bool {
        // Told before it is certain: from the moment on that it is, others tell what follows.
        if state == .preparing { output.post(.state(.preparing)) }
        return gate.withLock { _ in
            guard let control, control.offer(Handover(output: output, farewell: farewell)) else { return false }
            shared.withLock { $0.output = output }
            return true
        }
    }

    package func pause() {
        shared.withLock { $0.playback }?.control.wantsPlay = false
    }

    package func stop() {
        let output: EventOutput? = gate.withLock { _ in
            guard let state = rest(), state != .idle, state != .stopped else { return nil }
            endPlayback()
            return shared.withLock { shared in
                shared.resting = .stopped
                return shared.output
            }
        }
        output?.post(.state(.stopped))
    }

    package func reset() {
        stop()
        gate.withLock { _ in
            shared.withLock { state in
                state.resting = .idle
                state.settings = PlaybackSettings()
                state.forgetSource()
            }
        }
    }

    package func destroy() {
        // First, so that nothing of what it plays is kept.
        kept.close()
        stop()
        gate.withLock { _ in
            shared.withLock { state in
                state.isDestroyed = true
                state.resting = .idle
                state.forgetSource()
            }
        }
    }

    /// Ends a playback that has come to its end by itself; nothing is left of its threads.
    ///
    /// - Returns: the state then; nil if the player is destroyed.
    private func rest() -> PlayerState? {
        let (state, isDestroyed) = shared.withLock {
            ($0.playback?.control.published.state ?? $0.resting, $0.isDestroyed)
        }
        guard !isDestroyed else { return nil }
        if !state.isActive {
            endPlayback()
            shared.withLock { $0.resting = state }
        }
        return state
    }

    private func endPlayback() {
        guard let playback = shared.withLock({ $0.playback.take() }) else { return }
        playback.stop(withinMilliseconds: LibAVPlayer.stopMilliseconds)
    }
}
