// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Makes players over libav that share one clock.
///
/// Thread: any.
package final class LibAVPlayerFactory: PlayerFactory {
    private let clock: any MediaClock
    private let sinks: SinkFactory

    /// Players that decode everything and show nothing.
    package convenience init(clock: any MediaClock) {
        self.init(clock: clock, sinks: .null)
    }

    package init(clock: any MediaClock, sinks: SinkFactory) {
        self.clock = clock
        self.sinks = sinks
    }

    package func makePlayer() -> any MediaPlayer {
        LibAVPlayer(clock: clock, sinks: sinks)
    }
}
