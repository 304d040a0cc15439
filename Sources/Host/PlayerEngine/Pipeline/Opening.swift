// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// The way to the first picture of a segment without the delay of a decoder that reorders or works on several at once: a decoder of
/// its own makes it of the first packet alone. The main decoder makes it once more, and that one is not shown.
///
/// Thread: `kit-video`.
final class Opening {
    /// Read and not yet given to the main decoder, oldest first.
    var packets = Ring<Packet>(capacity: Opening.limit)
    /// The main decoder may have the packets.
    private(set) var isOver = false

    /// So many packets are looked at for one that comes before the first in the order of presentation: more than any codec reorders.
    private static let limit = 16

    /// Whether the main decoder of a track would hold the first picture back.
    static func helps(_ track: Track, threads: Int) -> Bool {
        (track.mayReorder || threads > 1) && !track.mayHaveFields
    }

    /// Whether enough packets are there to decide. Those that come slowly are not waited for.
    func isComplete(for track: Track, isInstant: Bool) -> Bool {
        !isInstant || !track.mayReorder || packets.count >= Opening.limit || packets.withLast { $0.isEnd } ?? true
    }

    /// Makes the first picture, if it can be known that it is the first.
    ///
    /// - Parameter open: gives a decoder with a single thread that has been given nothing; nil if there can be none.
    /// - Returns: the picture with its place on the timeline; nil if the main decoder has to make it.
    func makeFirst(of track: Track, open: () -> Decoder?) -> Frame? {
        isOver = true
        guard let time = firstTime(in: track), let decoder = open(),
            packets.withFirst({ (try? decoder.send($0)) != nil }) ?? false
        else { return nil }
        decoder.sendEnd()
        var frame = Frame()
        guard case .frame = decoder.receive(into: &frame), frame.time == time, !frame.isInterlaced else { return nil }
        return frame
    }

    /// When the first packet's picture is presented; nil unless it can be decoded alone and comes before those of the others.
    private func firstTime(in track: Track) -> MediaTime? {
        var first: MediaTime?
        var isUsable = true
        packets.forEach { index, packet in
            guard !packet.isEnd else { return }
            let time = packet.presentationTime(in: track)
            if index == 0 {
                first = packet.isKey && !packet.isDiscarded ? time : nil
            } else if let start = first, time.map({ $0 <= start }) ?? true {
                isUsable = false
            }
        }
        return isUsable ? first : nil
    }
}
