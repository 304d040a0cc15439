// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Opens a source, starts the threads that play it, and feeds them.
///
/// Thread: `kit-demux`, which outlives the others of its playback.
final class DemuxLoop {
    private let control: PlaybackControl
    private let source: VideoSource
    /// The source as it may be shown.
    private let name: String
    private let sinks: SinkFactory
    private let signal: any MediaSignal
    private var lines: [Line] = []
    private var threads: [MediaThread] = []
    private var hasSent = false
    private var isLastPacketCorrupt = false

    /// What may wait in all packet queues together; a packet counts for its size and its bookkeeping.
    private static let byteLimit = 16 << 20
    private static let bytesPerPacket = 256
    /// Reading pauses once every track has this much ahead, in microseconds.
    private static let durationLimit: Int64 = 10_000_000
    /// Microseconds until a source that has nothing yet is asked again.
    private static let retryInterval: Int64 = 10_000
    /// A source that ends this much early, in microseconds, may have been cut off.
    private static let shortfall: Int64 = 500_000

    init(_ source: VideoSource, control: PlaybackControl, sinks: SinkFactory, signal: any MediaSignal) {
        self.source = source
        self.name = source.printableName
        self.control = control
        self.sinks = sinks
        self.signal = signal
    }

    /// - Parameter start: when `prepare` was called.
    func run(since start: EventTime) {
        control.post(.state(.preparing), at: start)
        do throws(PlayerError) {
            let location = try MediaLocation(source)
            let input = try open(location)
            try prepare(input)
            read(input)
        } catch {
            control.fail(error)
        }
        // Time must not wait for this thread while it waits for the others.
        signal.leave()
        for thread in threads { thread.join() }
        control.abandon()
    }

    private func open(_ location: MediaLocation) throws(PlayerError) -> MediaInput {
        do throws(OpenFailure) {
            let input = try MediaInput(location, interrupt: control.interrupt)
            control.post(.opened(container: input.containerName))
            try input.findTracks()
            control.post(.streamInfo(tracks: input.trackCount))
            return input
        } catch {
            throw PlayerError(opening: name, at: location, failure: error)
        }
    }

    private func prepare(_ input: MediaInput) throws(PlayerError) {
        let video = input.selectTrack(.video, relatedTo: nil)
        let audio = input.selectTrack(.audio, relatedTo: video)
        let selected = [video, audio].compactMap { $0 }
        guard !selected.isEmpty else {
            throw PlayerError(
                .nothingToPlay, "\(name) has neither picture nor sound",
                hint: "Play a source with a video or an audio track.")
        }
        let playable = selected.filter(\.hasDecoder)
        for track in selected where !track.hasDecoder {
            let error = PlayerError(
                .noDecoder, "\(name) needs a decoder for \(track.codecName), which this libav does not have",
                hint: "Play it in another codec, or install a libav that has one.")
            if playable.isEmpty { throw error }
            control.post(.error(error, isFatal: false))
        }
        input.discardAll(but: playable)
        let media = input.describe(
            video: playable.first { $0.kind == .video }, audio: playable.first { $0.kind == .audio })
        control.publish(duration: media.duration)
        control.post(.prepared(media))
        control.enter(.prepared)
        try startThreads(for: playable, of: input)
    }

    private func startThreads(for tracks: [Track], of input: MediaInput) throws(PlayerError) {
        let (mayJump, isRemote) = (input.mayJump, input.location.isRemote)
        let present = control.makeSignal()
        var decoders: [(line: Line, signal: any MediaSignal)] = []
        for track in tracks {
            let decode = control.makeSignal()
            decoders.append((Line(track, demux: signal, decode: decode, present: present), decode))
        }
        lines = decoders.map(\.line)
        for (index, decoder) in decoders.enumerated() {
            let isFirst = index == 0
            threads.append(
                try MediaThread(decoder.line.track.kind == .video ? "kit-video" : "kit-audio") {
                    [control, name] in
                    DecodeLoop(
                        decoder.line, control: control, name: name, signal: decoder.signal, announces: isFirst,
                        mayJump: mayJump
                    ).run()
                })
        }
        threads.append(
            try MediaThread("kit-present") { [control, lines, sinks, name] in
                PresentLoop(
                    lines, control: control, sinks: sinks, name: name, signal: present, mayJump: mayJump,
                    isRemote: isRemote
                ).run()
            })
    }

    private func read(_ input: MediaInput) {
        var packet = Packet()
        while !control.isEnding {
            if isFull {
                control.isReading.store(false, ordering: .relaxed)
                signal.wait(until: nil)
                continue
            }
            control.isReading.store(true, ordering: .relaxed)
            let status = input.read(into: packet)
            if let count = input.bytesRead { control.bytesRead.store(count, ordering: .relaxed) }
            if status == .tryAgain {
                signal.wait(until: control.clock.now() + DemuxLoop.retryInterval)
            } else if status.isFailure {
                control.isReading.store(false, ordering: .relaxed)
                if !control.isEnding { end(input, with: status) }
                return
            } else if let line = lines.first(where: { $0.track.index == packet.streamIndex }), line.failure == nil {
                packet = send(packet, to: line)
            } else {
                packet.clear()
            }
        }
    }

    /// - Returns: an empty shell for the next packet.
    private func send(_ packet: consuming Packet, to line: Line) -> Packet {
        if !hasSent {
            hasSent = true
            control.post(.firstPacket)
        }
        isLastPacketCorrupt = packet.isCorrupt
        if let end = line.track.end(of: packet) { line.bufferedEnd = max(end, line.bufferedEnd ?? end) }
        let byteCount = packet.byteCount + DemuxLoop.bytesPerPacket
        let duration = line.track.duration(of: packet)
        line.packets.send(packet, byteCount: byteCount, duration: duration)
        return line.packets.takeShell() ?? Packet()
    }

    /// A track may fill beyond its share while another has nothing: badly interleaved sources need that.
    private var isFull: Bool {
        var byteCount = 0
        var hasEnough = true
        for line in lines where line.failure == nil {
            let load = line.packets.load
            byteCount += load.byteCount
            if load.duration < DemuxLoop.durationLimit { hasEnough = false }
        }
        return hasEnough || byteCount >= DemuxLoop.byteLimit
    }

    private func end(_ input: MediaInput, with status: AVStatus) {
        control.failure = failure(of: input, after: status)
        if status == .endOfFile { control.post(.demuxEOF) }
        for line in lines { line.packets.finish() }
    }

    /// What cut the source short; nil if it came to its end.
    private func failure(of input: MediaInput, after status: AVStatus) -> PlayerError? {
        let status = status == .endOfFile ? input.readFailure ?? status : status
        if status == .endOfFile {
            guard hasSent else {
                return PlayerError(
                    .nothingToPlay, "\(name) describes its tracks and holds nothing of them",
                    hint: "An initialisation segment alone cannot be played; give the whole source.")
            }
            guard isShort(of: input.duration), input.isCutOff || isLastPacketCorrupt else { return nil }
            return PlayerError(
                .truncated, "\(name) ends before its time", hint: "Get the whole file again.",
                cause: status.description)
        }
        if status == .timedOut || status == .exit {
            return PlayerError(
                .timedOut, "\(name) gave nothing more in time",
                hint: input.location.isRemote ? "Check the network and the server." : "Check what writes to it.",
                cause: status.description)
        }
        if status == .invalidData {
            return PlayerError(
                .corrupt, "\(name) cannot be read to its end", hint: "Get the file again.", cause: status.description)
        }
        return PlayerError(
            .readFailed, "\(name) could not be read to its end", hint: "Check the device or the network it is on.",
            cause: status.description)
    }

    private func isShort(of duration: MediaTime?) -> Bool {
        guard let duration, let end = lines.compactMap(\.bufferedEnd).max() else { return false }
        return end.microseconds + DemuxLoop.shortfall < duration.microseconds
    }
}
