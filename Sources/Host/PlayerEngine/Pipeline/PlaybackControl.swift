// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// What the threads of one playback share with each other and with the player: intent, published figures, the way out.
///
/// One thread at a time posts state: the demux thread until the source is prepared, then the present thread, and after they have
/// ended the caller of `stop`. That is what keeps states in order.
///
/// Thread: any.
final class PlaybackControl: Sendable {
    struct Published: Sendable {
        var state = PlayerState.idle
        var position = MediaTime.zero
        var duration: MediaTime?
    }

    let clock: any MediaClock
    private let output: EventOutput
    let interrupt = Interrupt()
    /// Video frames so far; each thread adds to its own.
    let decoded = Atomic<Int64>(0)
    let skipped = Atomic<Int64>(0)
    let droppedByDecoder = Atomic<Int64>(0)
    /// Whether the demuxer is at the source for more, rather than waiting for room.
    let isReading = Atomic(false)
    /// Bytes read; negative if they are not counted.
    let bytesRead = Atomic<Int64>(-1)

    private struct Shared {
        var published = Published()
        var wantsPlay = false
        var signals: [any MediaSignal] = []
        var failure: PlayerError?
    }

    private let shared = Mutex(Shared())
    private let isEndingFlag = Atomic(false)
    private let isSilent = Atomic(false)

    init(clock: any MediaClock, output: EventOutput) {
        self.clock = clock
        self.output = output
    }

    var published: Published { shared.withLock { $0.published } }
    var isEnding: Bool { isEndingFlag.load(ordering: .acquiring) }

    /// Whether it is to play as soon as it can.
    var wantsPlay: Bool {
        get { shared.withLock { $0.wantsPlay } }
        set {
            shared.withLock { $0.wantsPlay = newValue }
            raiseAll()
        }
    }

    /// What cut the source short; told once everything before it has been played.
    var failure: PlayerError? {
        get { shared.withLock { $0.failure } }
        set { shared.withLock { $0.failure = newValue } }
    }

    func makeSignal() -> any MediaSignal {
        let signal = clock.makeSignal()
        shared.withLock { $0.signals.append(signal) }
        return signal
    }

    /// Posts an event unless the playback is over.
    func post(_ event: PlayerEvent, at time: EventTime? = nil, position: MediaTime? = nil) {
        guard !isSilent.load(ordering: .acquiring) else { return }
        output.post(event, at: time ?? clock.now(), position: position)
    }

    /// Enters the state preparing without a word: the demux thread tells it.
    ///
    /// - Returns: when that was.
    func begin() -> EventTime {
        shared.withLock { $0.published.state = .preparing }
        return clock.now()
    }

    func enter(_ state: PlayerState) {
        shared.withLock { $0.published.state = state }
        post(.state(state))
    }

    func publish(position: MediaTime) {
        shared.withLock { $0.published.position = position }
    }

    func publish(duration: MediaTime?) {
        shared.withLock { $0.published.duration = duration }
    }

    /// Posts a fatal error and what follows from it, and ends.
    func fail(_ error: PlayerError) {
        post(.error(error, isFatal: true))
        enter(.error)
        end()
    }

    /// Has all threads end; nothing is posted from here on.
    func end() {
        isSilent.store(true, ordering: .releasing)
        isEndingFlag.store(true, ordering: .releasing)
        interrupt.cancel()
        raiseAll()
    }

    /// Gives up the threads that have not ended: time does not wait for them.
    func abandon() {
        for signal in shared.withLock({ $0.signals }) { signal.leave() }
    }

    private func raiseAll() {
        for signal in shared.withLock({ $0.signals }) { signal.raise() }
    }
}
