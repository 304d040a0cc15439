// SPDX-License-Identifier: Apache-2.0

/// Counts pictures.
package final class NullVideoSink: VideoSink {
    package private(set) var frameCount = 0

    package init() {}

    package func show(_ frame: borrowing Frame) {
        frameCount += 1
    }
}

/// Counts samples of each channel.
package final class NullAudioSink: AudioSink {
    package private(set) var sampleCount = 0

    package init() {}

    package func play(_ frame: borrowing Frame) {
        sampleCount += frame.sampleCount
    }
}
