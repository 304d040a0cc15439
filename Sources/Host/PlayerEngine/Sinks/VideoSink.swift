// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Where pictures go.
///
/// Thread: the present thread of one playback, which makes it, ends it and lets it go.
package protocol VideoSink: AnyObject {
    /// Shows a picture now. Pictures may change size, format and track at any moment, and their time may go back: at a seek or a loop.
    ///
    /// - Throws: why it can show no more; it is given nothing after that.
    func show(_ frame: borrowing Frame, of track: Track) throws(PlayerError)
    /// Finishes what it has begun: nothing will follow. Once, unless it has failed.
    ///
    /// - Throws: why what it has shown is not complete.
    func end() throws(PlayerError)
}
