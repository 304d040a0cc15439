// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// The outputs of one playback. A sink that fails is told of once and left out from then on; the others and the clock go on.
///
/// Thread: `kit-present`.
final class SinkGroup {
    private var video: [any VideoSink]
    private var audio: [any AudioSink]
    private let onFailure: (PlayerError) -> Void

    /// - Parameter post: tells an error that playback survives.
    init(_ factory: SinkFactory, interrupt: Interrupt, post: @escaping (PlayerError) -> Void) {
        video = factory.makeVideoSinks(interrupt)
        audio = factory.makeAudioSinks(interrupt)
        onFailure = { error in
            post(error)
            factory.onFailure(error)
        }
    }

    func show(_ frame: borrowing Frame, of track: Track) {
        for index in video.indices.reversed() {
            do throws(PlayerError) {
                try video[index].show(frame, of: track)
            } catch {
                video.remove(at: index)
                onFailure(error)
            }
        }
    }

    func play(_ frame: borrowing Frame, of track: Track, gain: Double) {
        for index in audio.indices.reversed() {
            do throws(PlayerError) {
                try audio[index].play(frame, of: track, gain: gain)
            } catch {
                audio.remove(at: index)
                onFailure(error)
            }
        }
    }

    /// Has every sink finish what it has begun. What is played afterwards goes nowhere.
    func end() {
        let (pictures, sounds) = (video, audio)
        video = []
        audio = []
        for sink in pictures {
            do throws(PlayerError) { try sink.end() } catch { onFailure(error) }
        }
        for sink in sounds {
            do throws(PlayerError) { try sink.end() } catch { onFailure(error) }
        }
    }
}
