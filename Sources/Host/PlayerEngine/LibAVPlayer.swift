// SPDX-License-Identifier: Apache-2.0

package import MediaCore
internal import Synchronization

/// Plays media with libavformat and libavcodec.
///
/// An idle, stopped, completed or failed player owns no thread. Playing, it owns up to four: `kit-demux` opens and reads the source,
/// `kit-video` and `kit-audio` decode, `kit-present` presents.
///
/// Thread: any.
package final class LibAVPlayer: MediaPlayer {
    private struct State {
        /// What the player is in while there is no playback.
        var resting = PlayerState.idle
        var model: PlayerModel?
        var output: EventOutput?
        var playback: Playback?
        var isDestroyed = false

        var target: (source: VideoSource, output: EventOutput)? {
            guard let model, let output else { return nil }
            return (model.videoSource, output)
        }
    }

    package let playerID: Int64
    private let clock: any MediaClock
    private let sinks: SinkFactory
    private let shared = Mutex(State())
    /// Orders the commands that start and end playbacks. Held while threads are joined, up to `stopMilliseconds`, and never while
    /// an event is posted: posting may wait for the dispatcher, and a strategy on the dispatcher may be waiting here.
    private let gate = Mutex(())

    private static let idSource = Atomic<Int64>(0)
    private static let parked = Atomic<Int>(0)
    private static let stopMilliseconds = 400

    /// Playbacks whose threads did not end in time when they were stopped.
    package static var parkedCount: Int { parked.load(ordering: .relaxed) }

    init(clock: any MediaClock, sinks: SinkFactory) {
        playerID = LibAVPlayer.idSource.add(1, ordering: .relaxed).newValue
        self.clock = clock
        self.sinks = sinks
    }

    deinit {
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

    package var bufferedPosition: MediaTime? { nil }
    package var tracks: [TrackInfo] { [] }
    package var settings: PlaybackSettings { PlaybackSettings() }
    package func seek(to target: MediaTime, mode: SeekMode) {}
    package func apply(_ settings: PlaybackSettings) {}
    package func selectTrack(_ index: Int) {}

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
            }
            return nil
        }
        if let refusal { throw refusal }
    }

    package func prepare() {
        let failed: (control: PlaybackControl, error: PlayerError)? = gate.withLock { _ in
            guard let state = rest(), !state.isActive, let (source, output) = shared.withLock(\.target) else {
                return nil
            }
            let control = PlaybackControl(clock: clock, output: output)
            do throws(PlayerError) {
                let playback = try Playback(source, control: control, sinks: sinks)
                shared.withLock { $0.playback = playback }
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
                state.model = nil
                state.output = nil
            }
        }
    }

    package func destroy() {
        stop()
        gate.withLock { _ in
            shared.withLock { state in
                state.isDestroyed = true
                state.resting = .idle
                state.model = nil
                state.output = nil
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
        if !playback.stop(withinMilliseconds: LibAVPlayer.stopMilliseconds) {
            LibAVPlayer.parked.add(1, ordering: .relaxed)
        }
    }
}

extension PlayerState {
    /// Whether a playback is under way.
    fileprivate var isActive: Bool {
        switch self {
        case .preparing, .prepared, .playing, .paused: true
        case .idle, .completed, .stopped, .error: false
        }
    }
}
