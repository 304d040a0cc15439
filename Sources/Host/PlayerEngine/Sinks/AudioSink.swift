// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Where sound goes.
///
/// Thread: the present thread of one playback, which makes it, ends it and lets it go.
package protocol AudioSink: AnyObject {
    /// Plays samples now. Samples may change rate, layout, format and track at any moment, and their time may go back.
    ///
    /// - Parameter gain: what to multiply them with, 0 (muted) to 1.
    /// - Throws: why it can play no more; it is given nothing after that.
    func play(_ frame: borrowing Frame, of track: Track, gain: Double) throws(PlayerError)
    /// Finishes what it has begun: nothing will follow. Once, unless it has failed.
    ///
    /// - Throws: why what it has played is not complete.
    func end() throws(PlayerError)
}
