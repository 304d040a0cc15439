// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// How the demuxer gets to where a segment begins.
extension DemuxLoop {
    // MARK: Beginning

    /// Begins the first segment: where a seek has asked for by now, where the model says, or at the beginning.
    func start(_ input: MediaInput) {
        if let move = control.move(after: moveSerial) {
            take(move, input)
        } else if startTime > .zero {
            land(to: startTime, mode: .exact, cause: .start, input)
        } else {
            _ = begin(.start)
        }
    }

    /// Makes a move.
    func take(_ move: Move, _ input: MediaInput) {
        moveSerial = move.serial
        abandonLanding()
        input.forgetFailure()
        let isChanged = choose(move.tracks, input)
        guard move.isSeek || isChanged else { return fail("there is no such track to play") }
        guard input.isSeekable || segment == nil else {
            if isChanged {
                control.post(
                    .error(
                        PlayerError(
                            .notSeekable, "\(name) cannot change to another track: it can only be read on",
                            hint: "Choose the track before it is opened."), isFatal: false))
            }
            restoreTracks(input)
            return fail("the source cannot go to another place")
        }
        land(to: move.target, mode: move.mode, cause: .move(move.serial), input)
    }

    /// Has the demuxer read the tracks of these indexes in place of those of their kinds.
    ///
    /// - Returns: whether anything changed.
    private func choose(_ indexes: [Int], _ input: MediaInput) -> Bool {
        restoreTracks(input)
        var isChanged = false
        for index in indexes {
            guard let track = input.track(index), let feed = feeds.first(where: { $0.line.kind == track.kind }),
                !feed.line.hasFailed
            else { continue }
            guard track.hasDecoder else {
                control.post(.error(noDecoder(for: track), isFatal: false))
                continue
            }
            if feed.track.index != index { feed.track = track }
        }
        for feed in feeds where feed.track !== segment?.track(feed.line.kind) { isChanged = true }
        if isChanged { input.discardAll(but: feeds.map(\.track)) }
        return isChanged
    }

    private func restoreTracks(_ input: MediaInput) {
        guard let segment else { return }
        var isChanged = false
        for feed in feeds {
            guard let track = segment.track(feed.line.kind), track !== feed.track else { continue }
            feed.track = track
            isChanged = true
        }
        if isChanged { input.discardAll(but: feeds.map(\.track)) }
    }

    // MARK: On the way

    /// The line whose packets lead: pictures need a keyframe, sound can begin anywhere.
    private var reference: Feed? { feeds.first { !$0.line.hasFailed } }

    private func land(to target: MediaTime, mode: SeekMode, cause: Segment.Cause, _ input: MediaInput) {
        let next = Landing(
            to: target, mode: mode, cause: cause, wasAtEnd: isAtEnd, canSeek: input.isSeekable,
            isSearching: mode == .exact || input.isInstant)
        landing = next
        isAtEnd = false
        control.isReading.store(true, ordering: .relaxed)
        seek(next, input)
    }

    private func seek(_ landing: Landing, _ input: MediaInput) {
        guard let reference else { return failLanding("nothing of it can be decoded", input) }
        do throws(AVStatus) {
            try landing.seek(input, in: reference.track)
        } catch {
            failLanding("libav cannot go there: \(error)", input)
        }
    }

    /// Takes a packet on the way.
    ///
    /// - Returns: an empty shell for the next packet.
    func land(_ packet: consuming Packet, of feed: Feed, _ input: MediaInput) -> Packet {
        guard let landing else { return packet }
        let recycle = { (packet: consuming Packet) in feed.line.packets.recycle(packet) }
        var step = Landing.Step.goOn
        if feed === reference {
            step = landing.look(at: packet, of: feed.track, recycle)
            if step == .goBack || landing.isUseless(packet, of: feed.track) {
                feed.line.packets.recycle(packet)
                if step == .goBack { goBack(landing, input) }
                return feed.line.packets.takeShell() ?? Packet()
            }
        }
        let byteCount = landing.hold(packet)
        if step == .arrive || byteCount >= buffers.maxBufferBytes { arrive(landing) }
        return feed.line.packets.takeShell() ?? Packet()
    }

    /// The source came to its end on the way.
    ///
    /// - Returns: true if it is read again from earlier.
    func landAtEnd(_ input: MediaInput, _ status: AVStatus) -> Bool {
        guard let landing else { return false }
        guard status == .endOfFile, input.readFailure == nil else {
            failLanding("the source could not be read: \(input.readFailure ?? status)", input)
            return false
        }
        if !landing.hasKey && !landing.isFromStart {
            goBack(landing, input)
            return true
        }
        arrive(landing)
        return false
    }

    private func goBack(_ landing: Landing, _ input: MediaInput) {
        landing.goBack { packet in feeds[0].line.packets.recycle(packet) }
        seek(landing, input)
    }

    /// Begins the segment with what is held; what is under way of older ones is for nobody.
    private func arrive(_ landing: Landing) {
        self.landing = nil
        guard begin(landing.cause, from: landing.from, showsLast: landing.cause != .start) else { return }
        // What was read ahead of the presentation is read anew.
        wraps = control.wrapCount.load(ordering: .relaxed)
        for feed in feeds { feed.line.packets.removeAll() }
        while let packet = landing.removeFirst() {
            let index = packet.streamIndex
            guard let feed = feeds.first(where: { $0.track.index == index }) else { continue }
            feed.line.packets.recycle(send(packet, to: feed))
        }
    }

    private func abandonLanding() {
        guard let landing else { return }
        isAtEnd = landing.wasAtEnd
        self.landing = nil
        // Whoever waits for more must not wait for a source that is at its end.
        if isAtEnd { stopReading() }
    }

    private func failLanding(_ reason: String, _ input: MediaInput) {
        guard let landing else { return }
        abandonLanding()
        guard landing.cause != .start else {
            _ = begin(.start, from: landing.target)
            return
        }
        restoreTracks(input)
        for feed in feeds { feed.resume() }
        fail(reason)
    }

    private func fail(_ reason: String) {
        control.failMove(moveSerial, reason)
        if segment == nil { _ = begin(.start) }
    }
}
