// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// A seek under way in the demuxer: what has been read since, held until it is known that a segment can begin with it.
///
/// libav goes near the target: behind it where an index lies, between keyframes where there is none. So packets are held from the
/// last keyframe at or before the target on, until the target is passed; a seek that has led too far is tried again from earlier.
///
/// Thread: `kit-demux`.
final class Landing {
    /// What a packet of the track that leads means for it.
    enum Step {
        case goOn
        case goBack
        case arrive
    }

    let target: MediaTime
    let mode: SeekMode
    let cause: Segment.Cause
    /// The demuxer was at the end of the source before.
    let wasAtEnd: Bool
    /// Whether a keyframe nearer to the target is looked for: needless where an index has led to the nearest.
    private let isSearching: Bool
    private let canSeek: Bool
    private var held = Ring<Packet>(capacity: 64)
    private var heldBytes = 0
    /// When the newest keyframe at or before the target is presented, with which what is held begins.
    private var key: MediaTime?
    private var attempt: Int

    /// How far before the target the attempts aim, in microseconds; after them comes the beginning of the source.
    private static let steps: [Int64] = [0, 1_000_000, 4_000_000, 16_000_000]
    /// Sound before the target that decoders need to come into step, in microseconds.
    private static let preroll: Int64 = 200_000

    /// - Parameters:
    ///   - canSeek: false if the source is at its beginning and cannot go anywhere else: it is read from there.
    ///   - isSearching: whether all up to the target is read before anything is shown.
    init(
        to target: MediaTime, mode: SeekMode, cause: Segment.Cause, wasAtEnd: Bool, canSeek: Bool, isSearching: Bool
    ) {
        self.target = target
        self.mode = mode
        self.cause = cause
        self.wasAtEnd = wasAtEnd
        self.canSeek = canSeek
        self.isSearching = isSearching
        attempt = canSeek ? 0 : Landing.steps.count
    }

    /// Where the segment begins, once it can begin.
    var from: MediaTime { mode == .exact ? target : key ?? target }

    /// Whether what is held can be decoded from.
    var hasKey: Bool { key != nil }

    /// Whether it comes from the beginning of the source, so that going back further is no use.
    var isFromStart: Bool { attempt >= Landing.steps.count }

    /// Has the demuxer go to where the attempt aims, or an earlier one if libav cannot.
    func seek(_ input: MediaInput, in track: Track) throws(AVStatus) {
        guard canSeek else { return }
        while !isFromStart {
            let early = Landing.steps[attempt] + (track.kind == .audio ? Landing.preroll : 0)
            let aim = MediaTime(microseconds: target.microseconds &- early)
            if (try? input.seek(to: aim, in: track)) != nil { return }
            attempt += 1
        }
        try input.seekToStart(of: track)
    }

    /// Begins again from earlier.
    func goBack(_ recycle: (consuming Packet) -> Void) {
        attempt += 1
        key = nil
        discard(recycle) { _ in true }
    }

    /// Looks at a packet of the track that leads before it is held.
    func look(at packet: borrowing Packet, of track: Track, _ recycle: (consuming Packet) -> Void) -> Step {
        guard let time = packet.time(in: track) else { return .goOn }
        let isBehind = time.microseconds > target.microseconds + track.tolerance
        if isBehind { return hasKey || isFromStart ? .arrive : .goBack }
        guard packet.isKey || track.kind == .audio else { return .goOn }
        key = time
        let needed = MediaTime(microseconds: from.microseconds - Landing.preroll)
        let index = track.index
        discard(recycle) { held in
            if held.streamIndex == index && track.kind == .video { return true }
            // Without its time base only the track that leads can be placed; the others keep what they have.
            return held.streamIndex == index && (held.time(in: track).map { $0 < needed } ?? false)
        }
        return isSearching || attempt > 0 || track.kind == .audio ? .goOn : .arrive
    }

    /// Whether a packet of the track that leads is of no use: it needs a keyframe that was not read.
    func isUseless(_ packet: borrowing Packet, of track: Track) -> Bool {
        track.kind == .video && !packet.isKey && !hasKey && !isFromStart
    }

    /// Keeps a packet.
    ///
    /// - Returns: the bytes held by now.
    func hold(_ packet: consuming Packet) -> Int {
        heldBytes += packet.byteCount + DemuxLoop.bytesPerPacket
        held.append(packet)
        return heldBytes
    }

    /// The oldest packet held, nil if there is none.
    func removeFirst() -> Packet? { held.removeFirst() }

    private func discard(_ recycle: (consuming Packet) -> Void, where isUseless: (borrowing Packet) -> Bool) {
        let count = held.count
        heldBytes = 0
        for _ in 0..<count {
            guard let packet = held.removeFirst() else { return }
            if isUseless(packet) { recycle(packet) } else { _ = hold(packet) }
        }
    }
}
