// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

extension DecodeLoop {
    /// Shows the first picture of the segment ahead of the main decoder, where that is the same picture.
    func open(_ opening: Opening, of track: Track) {
        guard let segment, let frame = opening.makeFirst(of: track, open: { opener(for: track) }),
            !isEarly(frame, in: segment)
        else { return }
        line.hasDecoded = true
        control.decoded.add(1, ordering: .relaxed)
        shownAhead = frame.time
        send(frame, of: segment)
    }

    /// The decoder of first pictures, ready for another one.
    private func opener(for track: Track) -> Decoder? {
        if opener?.fits(track, threads: 1) ?? false {
            opener?.flush()
        } else {
            opener = try? control.kept.takeDecoder(for: track, threads: 1)
        }
        return opener
    }
}
