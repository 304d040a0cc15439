// SPDX-License-Identifier: Apache-2.0

/// Where pictures go.
///
/// Thread: the present thread of one playback, which makes it and lets it go.
protocol VideoSink: AnyObject {
    /// Shows a picture now.
    func show(_ frame: borrowing Frame)
}

/// Where sound goes.
///
/// Thread: the present thread of one playback, which makes it and lets it go.
protocol AudioSink: AnyObject {
    /// Plays samples now.
    func play(_ frame: borrowing Frame)
}

/// Makes the outputs of one playback.
struct SinkFactory: Sendable {
    var makeVideoSink: @Sendable () -> any VideoSink
    var makeAudioSink: @Sendable () -> any AudioSink

    /// Outputs that take everything and show nothing.
    static let null = SinkFactory(makeVideoSink: { NullVideoSink() }, makeAudioSink: { NullAudioSink() })
}
