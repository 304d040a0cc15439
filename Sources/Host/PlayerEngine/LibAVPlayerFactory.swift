// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Makes players over libav that share one clock, and the decoders that those that were stopped have left.
///
/// Thread: any.
package final class LibAVPlayerFactory: PlayerFactory {
    private let clock: any MediaClock
    private let sinks: SinkFactory
    /// What the players keep, for tests to count.
    package let shelf = DecoderShelf()

    /// Players that decode everything and show nothing.
    package convenience init(clock: any MediaClock) {
        self.init(clock: clock, sinks: .null)
    }

    package init(clock: any MediaClock, sinks: SinkFactory) {
        self.clock = clock
        self.sinks = sinks
    }

    package func makePlayer() -> any MediaPlayer {
        LibAVPlayer(clock: clock, sinks: sinks, shelf: shelf)
    }

    package func relieve() {
        shelf.empty()
    }
}
