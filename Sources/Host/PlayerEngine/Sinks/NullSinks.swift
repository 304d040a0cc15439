// SPDX-License-Identifier: Apache-2.0

/// Counts pictures.
final class NullVideoSink: VideoSink {
    private(set) var frameCount = 0

    func show(_ frame: borrowing Frame) {
        frameCount += 1
    }
}

/// Counts samples of each channel.
final class NullAudioSink: AudioSink {
    private(set) var sampleCount = 0

    func play(_ frame: borrowing Frame) {
        sampleCount += frame.sampleCount
    }
}
