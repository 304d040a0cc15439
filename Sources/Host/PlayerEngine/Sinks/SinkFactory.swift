// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Makes the outputs of each playback of a player.
package struct SinkFactory: Sendable {
    /// The sinks of the pictures; each gets all of them. The interrupt says when waiting for a slow output is over.
    package var makeVideoSinks: @Sendable (Interrupt) -> [any VideoSink]
    /// The same for the sound.
    package var makeAudioSinks: @Sendable (Interrupt) -> [any AudioSink]
    /// Told of every sink that fails, also when the session is over by then. Thread: the present thread of the playback.
    package var onFailure: @Sendable (PlayerError) -> Void

    package init(
        makeVideoSinks: @escaping @Sendable (Interrupt) -> [any VideoSink] = { _ in [] },
        makeAudioSinks: @escaping @Sendable (Interrupt) -> [any AudioSink] = { _ in [] },
        onFailure: @escaping @Sendable (PlayerError) -> Void = { _ in }
    ) {
        self.makeVideoSinks = makeVideoSinks
        self.makeAudioSinks = makeAudioSinks
        self.onFailure = onFailure
    }

    /// No outputs: everything is decoded and timed, nothing is kept.
    package static let null = SinkFactory()
}
