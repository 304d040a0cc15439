// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// What the threads of one playback share with each other and with the player: wishes, published figures, the way out.
///
/// One thread at a time posts states and what becomes of requests: the demux thread until the source is prepared, then the present
/// thread, and after they have ended the caller of `stop`. That is what keeps them in order.
///
/// Thread: any.
final class PlaybackControl: Sendable {
    struct Published: Sendable {
        var state = PlayerState.idle
        var position = MediaTime.zero
        var duration: MediaTime?
        /// How far the source was read, once nothing more is.
        var bufferedEnd: MediaTime?
        var tracks: [TrackInfo] = []
        /// nil until it is prepared.
        var media: MediaDescription?
    }

    struct Shared {
        /// Who hears of what happens.
        var output: EventOutput
        /// Who is to hear of it next.
        var handover: Handover?
        var published = Published()
        var wantsPlay = false
        /// The first picture is to be shown whether or not it plays.
        var wantsPreview = false
        var hasStarted = false
        var settings: PlaybackSettings
        /// What users asked for and nobody has taken up, oldest first.
        var requests: [MoveRequest] = []
        /// What the demuxer is to do, until it is done or failed.
        var move: Move?
        var moveCount = 0
        /// Why the newest move came to nothing.
        var moveFailure: String?
        /// The segment that is read.
        var newest: Segment?
        /// The newest segment that does not follow on the one before: what is older is for nobody.
        var landed: Segment?
        /// Segments that follow on `landed`, in their order.
        var wraps: [Segment] = []
        /// Nothing of the newest segment will follow, nor another one unless somebody asks for it.
        var isReadOut = false
        /// The source can play again from its beginning once more.
        var canWrap = false
        var isComplete = false
        /// The source can go to another place.
        var isSeekable = false
        var lines: [Line] = []
        var signals: [any MediaSignal] = []
        var failure: PlayerError?

        /// Nothing is known of the source yet, so whoever hears of it next hears all.
        var isUnknown: Bool { published.state == .preparing && published.tracks.isEmpty && handover == nil }
    }

    let clock: any MediaClock
    let interrupt = Interrupt()
    let configuration: PlayerConfiguration
    /// What the player has kept of its last source, and what is to be kept of this one.
    let kept: KeptParts
    /// Video frames so far; each thread adds to its own.
    let decoded = Atomic<Int64>(0)
    let skipped = Atomic<Int64>(0)
    let droppedByDecoder = Atomic<Int64>(0)
    /// Whether the demuxer is at the source for more, rather than waiting for room or at its end.
    let isReading = Atomic(true)
    /// Whether the present thread waits for more to be read.
    let isHungry = Atomic(false)
    /// Whether the first frame is waited for and everything else can wait.
    let awaitsFirst = Atomic(false)
    /// What was read of the source.
    let reading = ReadingReport()
    /// Whether the present thread tells how far things are, as it does while media time runs; else the demux thread does.
    let tellsProgress = Atomic(false)
    /// Wraps presented.
    let wrapCount = Atomic<Int>(0)
    /// Rises with everything that the media threads should look at.
    let revision = Atomic<Int>(0)
    /// The number of the newest segment that does not follow on the one before.
    let landedNumber = Atomic<Int>(0)

    let shared: Mutex<Shared>
    private let isEndingFlag = Atomic(false)
    private let isSilent = Atomic(false)

    init(
        clock: any MediaClock, output: EventOutput, configuration: PlayerConfiguration, settings: PlaybackSettings,
        requests: [MoveRequest], kept: KeptParts
    ) {
        self.clock = clock
        self.configuration = configuration
        self.kept = kept
        shared = Mutex(Shared(output: output, settings: settings, requests: requests))
    }

    var published: Published { shared.withLock { $0.published } }
    var isEnding: Bool { isEndingFlag.load(ordering: .acquiring) }

    /// Whether it is to play as soon as it can.
    var wantsPlay: Bool {
        get { shared.withLock { $0.wantsPlay } }
        set {
            change { shared in
                shared.wantsPlay = newValue
                awaitsFirst.store(shared.wantsFirst, ordering: .relaxed)
            }
        }
    }

    /// Whether it is to show its first picture, even if it does not play.
    var wantsPreview: Bool {
        get { shared.withLock { $0.wantsPreview } }
        set {
            change { shared in
                shared.wantsPreview = newValue
                awaitsFirst.store(shared.wantsFirst, ordering: .relaxed)
            }
        }
    }

    /// The first frame has been presented.
    func start() {
        change { shared in
            shared.hasStarted = true
            awaitsFirst.store(false, ordering: .relaxed)
        }
    }

    var settings: PlaybackSettings {
        get { shared.withLock { $0.settings } }
        set { change { $0.settings = newValue } }
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

    /// Changes what the threads share and has them look.
    func change<Result: Sendable>(_ body: (inout sending Shared) -> sending Result) -> Result {
        let result = shared.withLock(body)
        revision.add(1, ordering: .releasing)
        raiseAll()
        return result
    }

    // MARK: Events and figures

    /// Posts an event unless the playback is over.
    func post(_ event: PlayerEvent, at time: EventTime? = nil, position: MediaTime? = nil) {
        guard !isSilent.load(ordering: .acquiring) else { return }
        shared.withLock { $0.output }.post(event, at: time ?? clock.now(), position: position)
    }

    /// Enters the state preparing without a word: the demux thread tells it.
    ///
    /// - Returns: when that was.
    func begin() -> EventTime {
        shared.withLock { $0.published.state = .preparing }
        return clock.now()
    }

    /// Tells what was read, if that is known and more than was told. Thread: any.
    func tellBytes(at time: EventTime? = nil) {
        if let counts = reading.takeNews() { post(.bytes(counts), at: time) }
    }

    func enter(_ state: PlayerState) {
        shared.withLock { $0.published.state = state }
        post(.state(state))
    }

    func publish(position: MediaTime) {
        shared.withLock { $0.published.position = position }
    }

    func publish(duration: MediaTime?, tracks: [TrackInfo], isSeekable: Bool) {
        shared.withLock { shared in
            shared.isSeekable = isSeekable
            shared.published.duration = duration
            shared.published.tracks = tracks
        }
    }

    func publish(_ media: MediaDescription) {
        shared.withLock { $0.published.media = media }
    }

    /// Has the lines of the playback asked for how far they are read.
    func publish(lines: [Line]) {
        shared.withLock { $0.lines = lines }
    }

    /// Up to where media has been read; nil while it is not known.
    var bufferedPosition: MediaTime? { shared.withLock { $0.bufferedPosition } }

    /// Lets go of what was read and not played: the threads have ended.
    func releaseMedia() {
        let lines = shared.withLock { shared in
            shared.published.bufferedEnd = shared.bufferedPosition
            shared.newest = nil
            shared.landed = nil
            shared.wraps = []
            defer { shared.lines = [] }
            return shared.lines
        }
        // Freed here, without the lock.
        _ = consume lines
    }

    // MARK: The way out

    /// Posts a fatal error and what follows from it, and ends.
    func fail(_ error: PlayerError) {
        // Who hears of the error finds the state there.
        while !close(in: .error) { takeUpHandover() }
        post(.error(error, isFatal: true))
        post(.state(.error))
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

extension PlaybackControl.Shared {
    fileprivate var wantsFirst: Bool { (wantsPlay || wantsPreview) && !hasStarted }

    /// What lies behind a wrap does not count.
    fileprivate var bufferedPosition: MediaTime? {
        guard !lines.isEmpty else { return published.bufferedEnd }
        guard wraps.isEmpty else { return published.duration }
        return lines.lazy.filter { !$0.hasFailed }.compactMap(\.bufferedEnd).min()
    }
}
