// SPDX-License-Identifier: Apache-2.0

/// Where pictures go.
///
/// Thread: the present thread of one playback, which makes it and lets it go.
package protocol VideoSink: AnyObject {
    /// Shows a picture now.
    func show(_ frame: borrowing Frame)
}

/// Where sound goes.
///
/// Thread: the present thread of one playback, which makes it and lets it go.
package protocol AudioSink: AnyObject {
    /// Plays samples now.
    func play(_ frame: borrowing Frame)
}

/// Makes the outputs of one playback.
package struct SinkFactory: Sendable {
    package var makeVideoSink: @Sendable () -> any VideoSink
    package var makeAudioSink: @Sendable () -> any AudioSink

    package init(
        makeVideoSink: @escaping @Sendable () -> any VideoSink, makeAudioSink: @escaping @Sendable () -> any AudioSink
    ) {
        self.makeVideoSink = makeVideoSink
        self.makeAudioSink = makeAudioSink
    }

    /// Outputs that take everything and show nothing.
    package static let null = SinkFactory(makeVideoSink: { NullVideoSink() }, makeAudioSink: { NullAudioSink() })
}
