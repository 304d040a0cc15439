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
    }

    package let playerID: Int64
    private let clock: any MediaClock
    private let sinks: SinkFactory
    private let shared = Mutex(State())
    /// Orders the commands that start and end playbacks. Held while threads are joined; nothing that is called back takes it.
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
        gate.withLock { _ in
            guard let state = rest(), !state.isActive else { return }
            guard
                let (model, output) = shared.withLock({ state in
                    state.model.flatMap { model in state.output.map { (model, $0) } }
                })
            else { return }
            let control = PlaybackControl(clock: clock, output: output)
            control.enter(.preparing)
            do throws(PlayerError) {
                let location = try SourceLocation(model.videoSource)
                let playback = try Playback(
                    location, name: model.videoSource.displayName, control: control, sinks: sinks)
                shared.withLock { $0.playback = playback }
            } catch {
                control.fail(error)
                shared.withLock { $0.resting = .error }
            }
        }
    }

    package func start() {
        shared.withLock { $0.playback }?.control.wantsPlay = true
    }

    package func pause() {
        shared.withLock { $0.playback }?.control.wantsPlay = false
    }

    package func stop() {
        gate.withLock { _ in
            let output = shared.withLock { state in
                state.isDestroyed || state.playback == nil && state.resting != .error ? nil : state.output
            }
            endPlayback()
            guard let output else { return }
            shared.withLock { $0.resting = .stopped }
            output.post(.state(.stopped))
        }
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
