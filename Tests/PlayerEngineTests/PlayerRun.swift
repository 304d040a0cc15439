// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// A player with its own clock and queue, and every event it has posted.
///
/// Thread: the test's.
final class PlayerRun {
    enum Speed: Sendable {
        case realTime
        case max

        func makeClock() -> any MediaClock {
            switch self {
            case .realTime: MonotonicClock()
            case .max: VirtualClock()
            }
        }
    }

    let player: any MediaPlayer
    /// What the player keeps.
    let shelf: DecoderShelf
    private(set) var events: [PlayerEvent] = []
    private let clock: any MediaClock
    private let queue = EventQueue()
    private var drained = EventQueue.Drained()
    private var sessionCount: UInt32 = 0

    /// Every wait of these tests ends here, whatever the machine is busy with.
    private static let patience = Duration.seconds(60)

    convenience init(_ speed: Speed = .max, sinks: SinkFactory = .null) {
        self.init(clock: speed.makeClock(), sinks: sinks)
    }

    convenience init(clock: any MediaClock, sinks: SinkFactory = .null) {
        self.init(clock: clock, factory: LibAVPlayerFactory(clock: clock, sinks: sinks))
    }

    /// One of several players that share what they keep.
    init(clock: any MediaClock = VirtualClock(), factory: LibAVPlayerFactory) {
        self.clock = clock
        player = factory.makePlayer()
        shelf = factory.shelf
    }

    deinit {
        player.destroy()
    }

    /// Sets a source with a session of its own and prepares it.
    func prepare(_ source: VideoSource, _ change: (inout PlayerModel) -> Void = { _ in }) throws {
        try set(source, change)
        player.prepare()
    }

    /// Sets a source with a session of its own.
    func set(_ source: VideoSource, _ change: (inout PlayerModel) -> Void = { _ in }) throws {
        sessionCount += 1
        let output = makeOutput(sessionCount)
        var model = PlayerModel(videoSource: source)
        // What libav tells of damage depends on it, and must not depend on the machine.
        model.configuration.decoderThreads = 2
        change(&model)
        try player.setDataSource(model, output: output)
    }

    /// What a session of the player posts to.
    func makeOutput(_ session: UInt32) -> EventOutput {
        EventOutput(
            controller: ControllerID(rawValue: 1), session: SessionID(rawValue: session), clock: clock, queue: queue)
    }

    /// Prepares a source and plays it.
    func play(_ path: String, _ change: (inout PlayerModel) -> Void = { _ in }) throws {
        try prepare(.url(path), change)
        player.start()
    }

    /// Plays a source until it is over.
    func playToEnd(_ path: String, _ change: (inout PlayerModel) -> Void = { _ in }) throws {
        try play(path, change)
        waitForEnd()
    }

    /// Plays in the time of a clock that is moved once all threads sleep, so that event time is media time and nothing else.
    func drive(_ clock: HandClock, until isDone: (PlayerRun) -> Bool = { $0.isOver }) {
        for _ in 0..<100_000 {
            clock.settles()
            collect(waitingUpTo: 0)
            if isDone(self) { return }
            clock.advance(milliseconds: 5)
        }
        Issue.record("played in vain; got \(names)")
    }

    var isOver: Bool { [.completed, .error, .stopped].contains(states.last) }

    /// Collects events until the playback is over.
    func waitForEnd() {
        wait("the end") { $0.playerState == .completed || $0.playerState == .error }
    }

    /// Collects events until one is met that was not there before.
    func wait(_ what: String, _ condition: (PlayerEvent) -> Bool) {
        guard !wait(within: PlayerRun.patience, condition) else { return }
        Issue.record("waited in vain for \(what); got \(names)")
    }

    /// Collects events until one is met that was not there before.
    ///
    /// - Returns: false if none came in time.
    func wait(within limit: Duration, _ condition: (PlayerEvent) -> Bool) -> Bool {
        let start = ContinuousClock.now
        while true {
            if collect().contains(where: condition) { return true }
            guard ContinuousClock.now - start < limit else { return false }
        }
    }

    /// Takes what has been posted since.
    @discardableResult
    func collect(waitingUpTo milliseconds: Int32 = 5) -> [PlayerEvent] {
        queue.drain(into: &drained, waitingUpTo: milliseconds)
        events += drained.events
        return drained.events
    }

    /// Waits until no playback of this process is parked. One is for a moment, where the machine is too busy for its threads to end
    /// while the player waits for them; one that the stop has not reached stays for as long as its source is silent.
    func expectNothingParked() {
        #expect(Patience.wait { LibAVPlayer.parkedCount == 0 })
    }

    var names: String { events.map(\.type.rawValue).map(String.init).joined(separator: " ") }
    var counts: FrameCounts { events.last { $0.type == .frames }?.frameCounts ?? FrameCounts() }
    var states: [PlayerState] { events.compactMap(\.playerState) }
    var failures: [(error: PlayerError, isFatal: Bool)] { events.compactMap(\.failure) }
    /// The attempt and the reason of each.
    var retries: [String] { events.filter { $0.type == .retry }.map { "\($0.values[0]) \($0.text)" } }
    var media: MediaDescription? { events.lazy.compactMap(\.media).first }
    var firstPicture: MediaTime? {
        events.first { $0.type == .firstVideoFrame }.flatMap { MediaTime(known: $0.values[0]) }
    }

    /// Microseconds by which event time is ahead of real time.
    var timeSkipped: Int64 { clock.now().microseconds - monotonicMicroseconds() }

    func count(_ type: EventType) -> Int { events.count { $0.type == type } }
}
