// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

extension DecodeLoop {
    /// Shows the first picture of the segment ahead of the main decoder, where that is the same picture.
    func open(_ opening: Opening, of track: Track) {
        guard let segment, let frame = opening.makeFirst(of: track), !isEarly(frame, in: segment) else { return }
        line.hasDecoded = true
        control.decoded.add(1, ordering: .relaxed)
        shownAhead = frame.time
        send(frame, of: segment)
    }
}
