// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// One source being played: its threads and what they share, from `prepare` to the end.
///
/// Thread: any; `stop` once.
final class Playback: Sendable {
    let control: PlaybackControl
    private let demux: MediaThread
    private let parking = Parking()

    /// Playbacks whose threads did not end in time when they were stopped, and have not yet.
    static var parkedCount: Int { Parking.count.load(ordering: .relaxed) }

    /// Starts the threads.
    init(_ model: PlayerModel, control: PlaybackControl, sinks: SinkFactory) throws(PlayerError) {
        self.control = control
        let start = control.begin()
        let signal = control.makeSignal()
        do throws(PlayerError) {
            demux = try MediaThread("kit-demux") { [parking] in
                DemuxLoop(model, control: control, sinks: sinks, signal: signal).run(since: start)
                parking.leave()
            }
        } catch {
            signal.leave()
            throw error
        }
    }

    /// Ends the threads. Those that do not end in time are parked: they go on alone, say nothing more, and free what they hold when
    /// they do end.
    func stop(withinMilliseconds limit: Int) {
        // One that has come to its end by itself has said so, or is about to.
        if control.published.state.isActive { control.end() }
        if !demux.join(withinMilliseconds: limit) {
            control.end()
            control.abandon()
            parking.enter()
        }
        control.dropHandover()
    }

    /// Whether the threads of one playback are among the parked ones.
    private final class Parking: Sendable {
        static let count = Atomic<Int>(0)

        private enum Place: Sendable {
            case running, parked, over
        }

        private let place = Mutex(Place.running)

        func enter() {
            place.withLock { place in
                guard place == .running else { return }
                place = .parked
                Parking.count.add(1, ordering: .relaxed)
            }
        }

        func leave() {
            place.withLock { place in
                if place == .parked { Parking.count.subtract(1, ordering: .relaxed) }
                place = .over
            }
        }
    }
}
