// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import Synchronization

/// Outputs that note what they are given, and let a test act at a picture.
///
/// Thread: any.
final class FrameLog: Sendable {
    struct Sound: Equatable, Sendable {
        var time: MediaTime
        var end: MediaTime
        var samples: Int
        var gain: Double
    }

    private struct State: Sendable {
        var pictures: [MediaTime] = []
        var sounds: [Sound] = []
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// When each picture shown is presented.
    var pictures: [MediaTime] { state.withLock { $0.pictures } }
    var sounds: [Sound] { state.withLock { $0.sounds } }
    var sampleCount: Int { sounds.reduce(0) { $0 + $1.samples } }

    var sinks: SinkFactory {
        SinkFactory(
            makeVideoSinks: { [self] _ in [PictureSink(self)] }, makeAudioSinks: { [self] _ in [SoundSink(self)] })
    }

    /// Has something done on the present thread while the picture of that number, from 1, is shown.
    func atPicture(_ number: Int, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.actions[number] = action }
    }

    private final class PictureSink: VideoSink {
        private let log: FrameLog

        init(_ log: FrameLog) {
            self.log = log
        }

        func show(_ frame: borrowing Frame, of track: Track) {
            let time = frame.time
            let action = log.state.withLock { state -> (@Sendable () -> Void)? in
                state.pictures.append(time)
                return state.actions.removeValue(forKey: state.pictures.count)
            }
            action?()
        }

        func end() {}
    }

    private final class SoundSink: AudioSink {
        private let log: FrameLog

        init(_ log: FrameLog) {
            self.log = log
        }

        func play(_ frame: borrowing Frame, of track: Track, gain: Double) {
            let sound = Sound(time: frame.time, end: frame.end, samples: frame.sampleCount, gain: gain)
            log.state.withLock { $0.sounds.append(sound) }
        }

        func end() {}
    }
}
