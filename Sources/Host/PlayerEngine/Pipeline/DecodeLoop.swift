// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Turns one line's packets into frames, a few ahead of what is presented.
///
/// Thread: `kit-video` or `kit-audio`.
final class DecodeLoop {
    let line: Line
    let control: PlaybackControl
    private let name: String
    private let signal: any MediaSignal
    let mayJump: Bool
    /// Whether packets come as fast as they are asked for.
    let isInstant: Bool
    /// Whether playback ends with the first picture, so that what follows it need not be decoded.
    private let endsAtFirst: Bool
    /// Whether the first frame is this line's to announce, and has not been yet.
    private var announces: Bool
    /// What is decoded; nil before the first packet.
    private(set) var segment: Segment?
    private var track: Track?
    private var decoder: Decoder?
    /// Makes first pictures; nil before the first one.
    var opener: Decoder?
    /// The decoder has nothing more to give until it is given something.
    private var wantsPacket = true
    /// Nothing of this segment has been delivered.
    private var isFirst = true
    /// The newest frame that lies before what is to be shown, in case nothing else comes.
    private var last: Frame?
    /// The first packets of a segment, held until its first picture has been made of them.
    var opening: Opening?
    /// When the picture is presented that was shown ahead of the main decoder, which has yet to make it.
    var shownAhead: MediaTime?
    private var failureCount: Int64 = 0
    /// Failures since a packet went in or a frame came out.
    private var failuresInARow = 0

    /// A decoder that fails this often without being given anything has broken down.
    private static let failureLimit = 64
    /// How many frames may wait to be presented, and down to how many the decoder rests.
    private static let pictures = (limit: 8, rest: 4, bytes: 64 << 20, least: 3)
    private static let sounds = (limit: 32, rest: 16)

    init(
        _ line: Line, control: PlaybackControl, name: String, signal: any MediaSignal, announces: Bool, mayJump: Bool,
        isInstant: Bool, endsAtFirst: Bool
    ) {
        self.line = line
        self.control = control
        self.name = name
        self.signal = signal
        self.announces = announces
        self.mayJump = mayJump
        self.isInstant = isInstant
        self.endsAtFirst = endsAtFirst
    }

    func run() {
        do throws(AVStatus) {
            try decode()
        } catch {
            let decoder = "The \(track?.codecName ?? line.kind.infoKind.rawValue) decoder"
            line.failure =
                error == .outOfMemory
                ? PlayerError(
                    .outOfMemory, "\(decoder) ran out of memory on \(name)",
                    hint: "Play less at once, or end other programs.", cause: error.description)
                : PlayerError(
                    .decoderFailed, "\(decoder) gave up on \(name)",
                    hint: "Check the file in another player; its track may be damaged.", cause: error.description)
            // Wakes the present thread, which looks at the failure once the queue is empty.
            control.change { _ in }
        }
        for decoder in [decoder, opener] {
            if let decoder { control.kept.give(decoder) }
        }
        signal.leave()
    }

    private func decode() throws(AVStatus) {
        var frame = Frame()
        while !control.isEnding {
            if isFull || hasAll {
                signal.wait(until: nil)
            } else if wantsPacket {
                guard let packet = nextPacket() else {
                    signal.wait(until: nil)
                    continue
                }
                try take(packet)
            } else if let decoder {
                switch decoder.receive(into: &frame) {
                case .frame:
                    failuresInARow = 0
                    line.hasDecoded = true
                    frame = deliver(frame)
                case .needsPacket: wantsPacket = true
                case .failed(let status):
                    failuresInARow += 1
                    guard failuresInARow < DecodeLoop.failureLimit else { throw status }
                    report(status)
                case .end: endSegment()
                }
            }
        }
    }

    /// Whether enough frames wait; the decoder is woken when half of them are gone.
    private var isFull: Bool {
        let load = line.frames.load
        switch line.kind {
        case .video:
            guard load.count >= DecodeLoop.pictures.least else { return false }
            guard load.count >= DecodeLoop.pictures.limit || load.byteCount >= DecodeLoop.pictures.bytes else {
                return false
            }
            awaitRoom(min(load.count - 1, DecodeLoop.pictures.rest))
        case .audio:
            guard load.count >= DecodeLoop.sounds.limit else { return false }
            awaitRoom(DecodeLoop.sounds.rest)
        }
        return true
    }

    /// Whether all that will be shown has been decoded; a seek asks for more.
    private var hasAll: Bool {
        guard endsAtFirst, !isFirst, line.kind == .video, let segment else { return false }
        return segment.number >= control.landedNumber.load(ordering: .acquiring)
    }

    private func awaitRoom(_ count: Int) {
        line.frames.awaitRoom(below: Channel.Load(count: count, byteCount: -1, duration: -1))
    }

    // MARK: Packets

    private func nextPacket() -> Packet? {
        if let opening, opening.isOver {
            if let held = opening.packets.removeFirst() { return held }
            self.opening = nil
        }
        return line.packets.receive()
    }

    private func take(_ packet: consuming Packet) throws(AVStatus) {
        guard let origin = packet.segment, origin.number >= control.landedNumber.load(ordering: .acquiring) else {
            return line.packets.recycle(packet)
        }
        if origin !== segment { begin(origin) }
        if let opening, !opening.isOver {
            opening.packets.append(packet)
            if let track, opening.isComplete(for: track, isInstant: isInstant) { open(opening, of: track) }
            return
        }
        let decoder = try decoderForTrack()
        wantsPacket = false
        guard !packet.isEnd else {
            decoder.sendEnd()
            return line.packets.recycle(packet)
        }
        give(packet, to: decoder)
    }

    private func begin(_ next: Segment) {
        if let newTrack = next.track(line.kind), newTrack !== track {
            track = newTrack
            decoder = nil
        }
        decoder?.flush()
        segment = next
        isFirst = true
        if let unused = last.take() { line.frames.recycle(unused) }
        opening = nil
        shownAhead = nil
        if line.kind == .video, let track, Opening.helps(track, threads: threads) { opening = Opening() }
    }

    private func decoderForTrack() throws(AVStatus) -> Decoder {
        if let decoder { return decoder }
        guard let track else { throw .invalidData }
        let made = try control.kept.takeDecoder(for: track, threads: threads)
        decoder = made
        return made
    }

    private var threads: Int { line.kind == .video ? Decoder.threads(control.configuration) : 1 }

    private func give(_ packet: consuming Packet, to decoder: Decoder) {
        failuresInARow = 0
        if packet.isDiscarded && line.kind == .video {
            // libav decodes it and keeps the frame to itself.
            control.decoded.add(1, ordering: .relaxed)
            control.skipped.add(1, ordering: .relaxed)
        }
        do throws(AVStatus) {
            try decoder.send(packet)
        } catch {
            report(error)
        }
        line.packets.recycle(packet)
    }

    // MARK: Frames

    /// - Returns: an empty shell for the next frame.
    private func deliver(_ frame: consuming Frame) -> Frame {
        let isVideo = line.kind == .video
        if isVideo {
            if let time = shownAhead, time == frame.time {
                // It has been counted and sent.
                shownAhead = nil
                frame.clear()
                return frame
            }
            control.decoded.add(1, ordering: .relaxed)
        }
        guard let segment, segment.number >= control.landedNumber.load(ordering: .acquiring) else {
            return skip(frame, keeping: false)
        }
        if isEarly(frame, in: segment) { return skip(frame, keeping: segment.showsLast && isFirst) }
        if !isVideo, let from = segment.from { frame.trim(before: from) }
        send(frame, of: segment)
        return line.frames.takeShell() ?? Frame()
    }

    /// Whether a frame was decoded for what follows it.
    func isEarly(_ frame: borrowing Frame, in segment: Segment) -> Bool {
        if let from = segment.from {
            let limit = MediaTime(microseconds: from.microseconds - (track?.tolerance ?? 0))
            return line.kind == .video ? frame.time < limit : frame.end <= limit
        }
        // What lies before zero is no content; where time stamps may jump, negative ones are as good as others.
        return !mayJump && (line.kind == .video ? frame.time < .zero : frame.end <= .zero)
    }

    private func skip(_ frame: consuming Frame, keeping: Bool) -> Frame {
        if line.kind == .video { control.skipped.add(1, ordering: .relaxed) }
        guard keeping, line.kind == .video else {
            frame.clear()
            return frame
        }
        if let older = last.take() { line.frames.recycle(older) }
        last = consume frame
        return line.frames.takeShell() ?? Frame()
    }

    func send(_ frame: consuming Frame, of segment: Segment) {
        isFirst = false
        if let unused = last.take() { line.frames.recycle(unused) }
        if announces {
            announces = false
            control.post(.firstDecoded)
        }
        frame.segment = segment
        let (weight, duration) = (line.kind == .video ? frame.weight : 0, frame.duration)
        line.frames.send(frame, byteCount: weight, duration: duration)
    }

    /// Everything of the segment has come out.
    private func endSegment() {
        wantsPacket = true
        guard let segment else { return }
        if isFirst, let frame = last.take() {
            control.skipped.subtract(1, ordering: .relaxed)
            send(frame, of: segment)
        }
        var end = line.frames.takeShell() ?? Frame()
        end.segment = segment
        end.isEnd = true
        line.frames.send(end)
    }

    private func report(_ status: AVStatus) {
        if line.kind == .video { control.droppedByDecoder.add(1, ordering: .relaxed) }
        failureCount += 1
        var power: Int64 = 1
        while power < failureCount { power *= 10 }
        guard power == failureCount, let track else { return }
        let times = failureCount == 1 ? "" : ", \(failureCount) times by now"
        control.post(
            .error(
                PlayerError(
                    .badData, "Part of the \(track.codecName) track of \(name) could not be decoded\(times)",
                    hint: "The rest plays on; get the file again if it matters.", cause: status.description),
                isFatal: false))
    }
}
