// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Turns one track's packets into frames, a few ahead of what is presented.
///
/// Thread: `kit-video` or `kit-audio`.
final class DecodeLoop {
    private let line: Line
    private let control: PlaybackControl
    private let name: String
    private let signal: any MediaSignal
    private let mayJump: Bool
    /// Whether the first frame is this track's to announce, and has not been yet.
    private var announces: Bool
    private var failureCount: Int64 = 0
    /// Failures since a packet went in or a frame came out.
    private var failuresInARow = 0

    /// A decoder that fails this often without being given anything has broken down.
    private static let failureLimit = 64

    init(
        _ line: Line, control: PlaybackControl, name: String, signal: any MediaSignal, announces: Bool, mayJump: Bool
    ) {
        self.line = line
        self.control = control
        self.name = name
        self.signal = signal
        self.announces = announces
        self.mayJump = mayJump
    }

    func run() {
        do throws(AVStatus) {
            try decode(with: try Decoder(line.track))
        } catch {
            line.failure = PlayerError(
                .decoderFailed, "The \(line.track.codecName) decoder gave up on \(name)",
                hint: "Check the file in another player; its track may be damaged.", cause: error.description)
        }
        line.frames.finish()
        signal.leave()
    }

    private func decode(with decoder: Decoder) throws(AVStatus) {
        var frame = Frame()
        var hasEnded = false
        while !control.isEnding {
            if line.frames.load.count >= line.frameCapacity {
                signal.wait(until: nil)
                continue
            }
            switch decoder.receive(into: &frame) {
            case .frame:
                failuresInARow = 0
                frame = deliver(frame)
            case .needsPacket:
                if let packet = line.packets.receive() {
                    give(packet, to: decoder)
                } else if !line.packets.load.isExhausted {
                    signal.wait(until: nil)
                } else if !hasEnded {
                    hasEnded = true
                    decoder.sendEnd()
                } else {
                    return
                }
            case .failed(let status):
                failuresInARow += 1
                guard failuresInARow < DecodeLoop.failureLimit else { throw status }
                report(status)
            case .end:
                return
            }
        }
    }

    private func give(_ packet: consuming Packet, to decoder: Decoder) {
        failuresInARow = 0
        if packet.isDiscarded && line.track.kind == .video {
            // libav decodes it and keeps the frame to itself.
            control.decoded.add(1, ordering: .relaxed)
            control.skipped.add(1, ordering: .relaxed)
        }
        do throws(AVStatus) {
            try decoder.send(packet)
        } catch {
            report(error)
        }
        packet.clear()
        line.packets.recycle(packet)
    }

    /// - Returns: an empty shell for the next frame.
    private func deliver(_ frame: consuming Frame) -> Frame {
        let isVideo = line.track.kind == .video
        if isVideo { control.decoded.add(1, ordering: .relaxed) }
        // What lies before zero was decoded for what follows; where time stamps may jump, negative ones are as good as others.
        if !mayJump && (isVideo ? frame.time < .zero : frame.end <= .zero) {
            if isVideo { control.skipped.add(1, ordering: .relaxed) }
            frame.clear()
            return frame
        }
        line.hasDecoded = true
        if announces {
            announces = false
            control.post(.firstDecoded)
        }
        line.frames.send(frame)
        return line.frames.takeShell() ?? Frame()
    }

    /// Tells the first failure and every one whose count is a power of ten.
    private func report(_ status: AVStatus) {
        if line.track.kind == .video { control.droppedByDecoder.add(1, ordering: .relaxed) }
        failureCount += 1
        var power: Int64 = 1
        while power < failureCount { power *= 10 }
        guard power == failureCount else { return }
        let times = failureCount == 1 ? "" : ", \(failureCount) times by now"
        control.post(
            .error(
                PlayerError(
                    .badData, "Part of the \(line.track.codecName) track of \(name) could not be decoded\(times)",
                    hint: "The rest plays on; get the file again if it matters.", cause: status.description),
                isFatal: false))
    }
}
