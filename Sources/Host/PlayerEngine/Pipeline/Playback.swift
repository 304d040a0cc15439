// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// One source being played: its threads and what they share, from `prepare` to the end.
///
/// Thread: any; `stop` once.
final class Playback: Sendable {
    let control: PlaybackControl
    private let demux: MediaThread

    /// Starts the threads.
    init(_ source: VideoSource, control: PlaybackControl, sinks: SinkFactory) throws(PlayerError) {
        self.control = control
        let start = control.begin()
        let signal = control.makeSignal()
        do throws(PlayerError) {
            demux = try MediaThread("kit-demux") {
                DemuxLoop(source, control: control, sinks: sinks, signal: signal).run(since: start)
            }
        } catch {
            signal.leave()
            throw error
        }
    }

    /// Ends the threads.
    ///
    /// - Returns: false if they did not end in time; they then go on alone, say nothing more, and free what they hold at their end.
    func stop(withinMilliseconds limit: Int) -> Bool {
        control.end()
        if demux.join(withinMilliseconds: limit) { return true }
        control.abandon()
        return false
    }
}
