// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Opens a source, starts the threads that play it, feeds them, and goes where playback is to go on.
///
/// At the end of the source it waits: for a move, for a loop, for the end of the playback.
///
/// Thread: `kit-demux`, which outlives the others of its playback.
final class DemuxLoop {
    let control: PlaybackControl
    let model: PlayerModel
    /// The source as it may be shown.
    let name: String
    /// Where playback is to start.
    let startTime: MediaTime
    private let sinks: SinkFactory
    let signal: any MediaSignal
    private var present: (any MediaSignal)?
    let buffers: PlayerConfiguration.Effective
    /// Microseconds of media that are read ahead at most.
    private let maxDuration: Int64
    var feeds: [Feed] = []
    private var threads: [MediaThread] = []
    /// To servers; nil until one is asked.
    private var connections: Connections?
    /// What packets read now belong to.
    var segment: Segment?
    /// Serial number of the newest move taken up.
    var moveSerial = 0
    /// On the way to where a segment can begin.
    var landing: Landing?
    var isAtEnd = false
    /// Wraps read, which may be more than are presented yet.
    var wraps = 0
    /// Whether this pass has given a packet: a source that gives none does not wrap.
    private var hasSentInPass = false
    private var hasSent = false
    private var isLastPacketCorrupt = false
    /// When it was last told what was read.
    private var toldBytes = EventTime.zero

    /// A packet counts for its size and its bookkeeping.
    static let bytesPerPacket = 256
    /// Microseconds of media that are read ahead while the first frame is waited for, unless more is needed to start.
    private static let leastDuration: Int64 = 500_000
    /// Microseconds until a source that has nothing yet is asked again.
    private static let retryInterval: Int64 = 10_000
    /// Microseconds between two tellings of what was read.
    private static let tellingInterval: Int64 = 100_000
    /// A source that ends this much early, in microseconds, may have been cut off.
    private static let shortfall: Int64 = 500_000

    init(_ model: PlayerModel, control: PlaybackControl, sinks: SinkFactory, signal: any MediaSignal) {
        self.model = model
        self.name = model.videoSource.printableName
        self.control = control
        self.sinks = sinks
        self.signal = signal
        startTime = (model.startTime ?? .zero).bounded
        buffers = control.configuration.effective
        maxDuration = buffers.maxBuffer.wholeMicroseconds
    }

    /// - Parameter start: when `prepare` was called.
    func run(since start: EventTime) {
        control.post(.state(.preparing), at: start)
        do throws(PlayerError) {
            let location = try MediaLocation(model.videoSource)
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
        control.releaseMedia()
        if let connections = connections.take() { control.kept.give(connections) }
    }

    private func open(_ location: MediaLocation) throws(PlayerError) -> MediaInput {
        let retries = Retries(
            control.configuration.effective, clock: control.clock, signal: signal, interrupt: control.interrupt
        ) { [control] attempt, reason in
            control.post(.retry(attempt: attempt, reason: reason))
        }
        if location.isRemote { connections = control.kept.takeConnections() }
        do throws(OpenFailure) {
            let input = try MediaInput(
                location, configuration: control.configuration, connections: &connections,
                interrupt: control.interrupt, retries: retries)
            control.post(.opened(container: input.containerName))
            try input.findTracks()
            control.post(.streamInfo(tracks: input.trackCount))
            return input
        } catch {
            throw PlayerError(opening: name, at: location, failure: error)
        }
    }

    private func prepare(_ input: MediaInput) throws(PlayerError) {
        // What has been read by now was to find out what the source is.
        control.reading.note(input.byteCounts)
        control.tellBytes()
        let playable: [Track]
        do throws(PlayerError) {
            playable = try chooseTracks(input)
        } catch {
            // Some demuxers take what they got before the network failed for all there is.
            throw input.networkFailure.map { PlayerError(network: $0, of: name) } ?? error
        }
        input.discardAll(but: playable)
        // Who hears of what was found; from here on it is the present thread that looks.
        control.takeUpHandover()
        let video = playable.first { $0.kind == .video }
        let audio = playable.first { $0.kind == .audio }
        let media = input.describe(video: video, audio: audio)
        let infos = input.trackInfos
        control.publish(duration: media.duration, tracks: infos, isSeekable: media.isSeekable)
        control.publish(position: startTime)
        control.post(.trackReady(infos))
        if let video { control.post(.rendition(video.info)) }
        control.publish(media)
        control.post(.prepared(media))
        control.enter(.prepared)
        try startThreads(for: playable, of: input)
    }

    private func chooseTracks(_ input: MediaInput) throws(PlayerError) -> [Track] {
        let configuration = control.configuration
        let video =
            configuration.isVideoDisabled
            ? nil : input.selectTrack(.video, relatedTo: nil, preferring: configuration.preferredTracks)
        let audio =
            configuration.isAudioDisabled
            ? nil : input.selectTrack(.audio, relatedTo: video, preferring: configuration.preferredTracks)
        let selected = [video, audio].compactMap { $0 }
        guard !selected.isEmpty else {
            let isDisabled = configuration.isVideoDisabled || configuration.isAudioDisabled
            throw PlayerError(
                .nothingToPlay, "\(name) has neither picture nor sound\(isDisabled ? " that is not disabled" : "")",
                hint: "Play a source with a video or an audio track.")
        }
        let playable = selected.filter(\.hasDecoder)
        for track in selected where !track.hasDecoder {
            if playable.isEmpty { throw noDecoder(for: track) }
            control.post(.error(noDecoder(for: track), isFatal: false))
        }
        return playable
    }

    func noDecoder(for track: Track) -> PlayerError {
        PlayerError(
            .noDecoder, "\(name) needs a decoder for \(track.codecName), which this libav does not have",
            hint: "Play it in another codec, or install a libav that has one.")
    }

    private func startThreads(for tracks: [Track], of input: MediaInput) throws(PlayerError) {
        let (mayJump, isInstant, endsAtFirst) = (input.mayJump, input.isInstant, model.endsAtFirstFrame)
        let present = control.makeSignal()
        self.present = present
        for (index, track) in tracks.enumerated() {
            let decode = control.makeSignal()
            let line = Line(track.kind, demux: signal, decode: decode, present: present)
            feeds.append(Feed(line, track: track))
            threads.append(
                try MediaThread(track.kind == .video ? "kit-video" : "kit-audio") { [control, name] in
                    DecodeLoop(
                        line, control: control, name: name, signal: decode, announces: index == 0, mayJump: mayJump,
                        isInstant: isInstant, endsAtFirst: endsAtFirst
                    ).run()
                })
        }
        control.publish(lines: feeds.map(\.line))
        // What was asked for by now is where playback begins.
        _ = control.takeUpRequests(at: startTime)
        let setting = PresentLoop.Setting(
            name: name, isRemote: input.location.isRemote, isInstant: isInstant, mayJump: mayJump, start: startTime,
            end: PlaybackEnd(model), endsAtFirstFrame: endsAtFirst)
        threads.append(
            try MediaThread("kit-present") { [control, sinks, lines = feeds.map { ($0.line, $0.track) }] in
                PresentLoop(lines, control: control, sinks: sinks, setting: setting, signal: present).run()
            })
    }

    // MARK: Reading

    private func read(_ input: MediaInput) {
        start(input)
        var packet = Packet()
        while !control.isEnding {
            if let move = control.move(after: moveSerial) {
                take(move, input)
            } else if isAtEnd {
                if mayWrap(input) { wrap(input) } else { signal.wait(until: nil) }
            } else if landing == nil && isFull {
                signal.wait(until: nil)
            } else {
                packet = readOne(input, into: packet)
            }
        }
    }

    /// - Returns: an empty shell for the next packet.
    private func readOne(_ input: MediaInput, into packet: consuming Packet) -> Packet {
        control.isReading.store(true, ordering: .relaxed)
        let status = input.read(into: packet)
        tellBytes(input)
        if control.interrupt.isRecalled, status.isFailure || packet.isCorrupt {
            // Cut short for a move, which is taken up next.
            input.forgetFailure()
        } else if status == .tryAgain {
            signal.wait(until: control.clock.now() + DemuxLoop.retryInterval)
        } else if status.isFailure {
            if !control.isEnding { end(input, with: status) }
        } else if let feed = feed(of: packet), packet.hasContent {
            isLastPacketCorrupt = packet.isCorrupt
            if landing != nil { return land(packet, of: feed, input) }
            if !feed.isRepeated(packet) { return send(packet, to: feed) }
        }
        packet.clear()
        return packet
    }

    /// Tells what was read, now and then, while nobody else does.
    private func tellBytes(_ input: MediaInput) {
        control.reading.note(input.byteCounts)
        guard !control.tellsProgress.load(ordering: .relaxed) else { return }
        let now = control.clock.now()
        guard now - toldBytes >= DemuxLoop.tellingInterval else { return }
        toldBytes = now
        control.tellBytes(at: now)
    }

    private func feed(of packet: borrowing Packet) -> Feed? {
        let index = packet.streamIndex
        for feed in feeds where feed.track.index == index && !feed.line.hasFailed { return feed }
        return nil
    }

    /// - Returns: an empty shell for the next packet.
    func send(_ packet: consuming Packet, to feed: Feed) -> Packet {
        if !hasSent {
            hasSent = true
            control.post(.firstPacket)
        }
        hasSentInPass = true
        let byteCount = packet.byteCount + DemuxLoop.bytesPerPacket
        let duration = feed.book(packet)
        packet.segment = segment
        feed.line.packets.send(packet, byteCount: byteCount, duration: duration)
        if control.isHungry.load(ordering: .relaxed) { present?.raise() }
        return feed.line.packets.takeShell() ?? Packet()
    }

    /// A line may fill beyond its share while another has nothing: badly interleaved sources need that.
    private var isFull: Bool {
        // Until the first frame is there, the processors are for it.
        let isEager = control.awaitsFirst.load(ordering: .relaxed)
        let limit =
            isEager
            ? min(maxDuration, max(DemuxLoop.leastDuration, buffers.startBuffer.wholeMicroseconds)) : maxDuration
        var byteCount = 0
        var hasEnough = true
        for feed in feeds where !feed.line.hasFailed {
            let load = feed.line.packets.load
            byteCount += load.byteCount
            if load.duration < limit { hasEnough = false }
        }
        guard hasEnough || byteCount >= buffers.maxBufferBytes else { return false }
        // Reading goes on once a quarter is gone.
        for feed in feeds where !feed.line.hasFailed {
            let load = feed.line.packets.load
            // Of what is not there nothing can go, now or ever.
            guard load.count > 0 else { continue }
            func rest<Amount: BinaryInteger>(of amount: Amount) -> Amount { amount > 0 ? amount / 4 * 3 : -1 }
            feed.line.packets.awaitRoom(
                below: Channel.Load(
                    count: 0, byteCount: rest(of: load.byteCount), duration: rest(of: min(load.duration, limit))))
        }
        if !control.tellsProgress.load(ordering: .relaxed) { control.tellBytes() }
        stopReading()
        return true
    }

    /// Nothing more comes for now, which whoever waits for more must know.
    func stopReading() {
        // Said before it is asked whether somebody waits, who says so before he looks: one of the two notices.
        guard control.isReading.exchange(false, ordering: .sequentiallyConsistent) else { return }
        if control.isHungry.load(ordering: .sequentiallyConsistent) { present?.raise() }
    }

    // MARK: Segments

    /// Begins a segment with the tracks of the feeds.
    ///
    /// - Returns: false if the playback has completed; nothing is begun then.
    func begin(_ cause: Segment.Cause, from: MediaTime? = nil, showsLast: Bool = false) -> Bool {
        func track(_ kind: Track.Kind) -> Track? { feeds.first { $0.line.kind == kind }?.track }
        let next = Segment(
            (segment?.number ?? 0) + 1, cause, from: from, showsLast: showsLast, video: track(.video),
            audio: track(.audio))
        for feed in feeds { feed.begin() }
        guard control.begin(next) else { return false }
        segment = next
        isAtEnd = false
        hasSentInPass = false
        control.isReading.store(true, ordering: .relaxed)
        return true
    }

    /// Says on every line that nothing of the segment follows.
    func endSegment() {
        for feed in feeds {
            var end = feed.line.packets.takeShell() ?? Packet()
            end.segment = segment
            end.isEnd = true
            feed.line.packets.send(end)
        }
    }

    private func canWrap(_ input: MediaInput) -> Bool {
        hasSentInPass && control.failure == nil && input.isSeekable
    }

    private func mayWrap(_ input: MediaInput) -> Bool {
        canWrap(input) && control.settings.loop.allows(wraps)
    }

    private func wrap(_ input: MediaInput) {
        guard let reference = feeds.first(where: { !$0.line.hasFailed }) else {
            hasSentInPass = false
            return
        }
        do throws(AVStatus) {
            try input.seekToStart(of: reference.track)
            if begin(.wrap) { wraps += 1 }
        } catch {
            hasSentInPass = false
            control.post(
                .error(
                    PlayerError(
                        .notSeekable, "\(name) does not play again: libav cannot go back to its beginning",
                        hint: "Play it anew for another pass.", cause: error.description), isFatal: false))
            control.endReading(canWrap: false)
        }
    }

    // MARK: The end

    private func end(_ input: MediaInput, with status: AVStatus) {
        if landing != nil {
            if landAtEnd(input, status) { return }
            // The way led nowhere, and all had been read before.
            if isAtEnd { return }
        }
        isAtEnd = true
        endSegment()
        control.failure = failure(of: input, after: status)
        if !control.tellsProgress.load(ordering: .relaxed) { control.tellBytes() }
        if status == .endOfFile { control.post(.demuxEOF) }
        control.endReading(canWrap: canWrap(input))
        stopReading()
    }

    /// What cut the source short; nil if it came to its end.
    private func failure(of input: MediaInput, after status: AVStatus) -> PlayerError? {
        let status = status == .endOfFile ? input.readFailure ?? status : status
        if status == .endOfFile {
            if input.hasShrunk {
                return PlayerError(
                    .truncated, "\(name) was cut while it was played", hint: "Play it again once it is whole.",
                    cause: status.description)
            }
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
        return PlayerError(reading: name, from: input, status: status)
    }

    private func isShort(of duration: MediaTime?) -> Bool {
        guard let duration, let end = feeds.compactMap(\.line.bufferedEnd).max() else { return false }
        return end.microseconds + DemuxLoop.shortfall < duration.microseconds
    }
}
