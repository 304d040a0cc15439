// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// How a request becomes a move, the move a segment, and the segment a picture.
extension PlaybackControl {
    /// Requests that wait at most; of what comes faster only the newest counts.
    private static let requestLimit = 256

    // MARK: Users

    /// - Returns: false if the playback has completed, and nothing will come of the request.
    @discardableResult
    func request(_ request: MoveRequest) -> Bool {
        change { shared in
            guard !shared.isComplete else { return false }
            if shared.requests.count == PlaybackControl.requestLimit { shared.requests.removeLast() }
            shared.requests.append(request)
            return true
        }
    }

    // MARK: The thread that posts

    /// Takes up what users asked for, tells it, and gives the demuxer its order.
    ///
    /// - Parameter position: where playback is.
    /// - Returns: the order; nil if nothing was asked for.
    func takeUpRequests(at position: MediaTime) -> Move? {
        let (requests, current) = shared.withLock { shared in
            defer { shared.requests.removeAll() }
            return (shared.requests, shared.move)
        }
        guard !requests.isEmpty else { return nil }
        var move = current ?? Move(serial: 0, target: position, mode: .exact, isSeek: false, tracks: [])
        for request in requests {
            switch request {
            case .seek(let target, let mode):
                if move.isSeek { post(.seekSuperseded, position: position) }
                post(.seekBegin(to: target), position: position)
                (move.target, move.mode, move.isSeek) = (target, mode, true)
            case .track(let index):
                move.tracks.append(index)
            }
        }
        let asked = move
        return change { shared in
            shared.moveCount += 1
            var move = asked
            move.serial = shared.moveCount
            shared.move = move
            shared.moveFailure = nil
            // What is being read may take its time, and is not wanted any more.
            if shared.isSeekable { interrupt.recall() }
            return move
        }
    }

    /// Where the moves have led: the order that is not settled, why it came to nothing, and the newest segment that was landed in.
    var outcome: (move: Move?, failure: String?, landed: Segment?) {
        shared.withLock { ($0.move, $0.moveFailure, $0.landed) }
    }

    /// The move has led where it should, or nowhere.
    func settleMove() {
        shared.withLock { shared in
            shared.move = nil
            shared.moveFailure = nil
        }
    }

    /// Ends the playback as complete unless something still follows on a segment.
    ///
    /// - Returns: whether it is complete.
    func complete(_ segment: Segment) -> Bool {
        shared.withLock { shared in
            let mayWrap = shared.settings.loop.allows(wrapCount.load(ordering: .relaxed))
            if shared.newest === segment {
                guard shared.isReadOut, !(mayWrap && shared.canWrap) else { return false }
            } else if mayWrap {
                return false
            }
            guard shared.requests.isEmpty, shared.move == nil else { return false }
            shared.isComplete = true
            return true
        }
    }

    /// The segment that follows on one at a wrap, nil if none does yet.
    func wrap(after segment: Segment) -> Segment? {
        shared.withLock { shared in
            guard let first = shared.wraps.first, first.number == segment.number + 1 else { return nil }
            shared.wraps.removeFirst()
            return first
        }
    }

    // MARK: The demux thread

    /// Takes up the move to make, nil if the newest is the one of that serial number.
    func move(after serial: Int) -> Move? {
        shared.withLock { shared in
            interrupt.resume()
            return shared.move.flatMap { $0.serial > serial ? $0 : nil }
        }
    }

    /// A new segment is about to be read.
    ///
    /// - Returns: false if the playback has completed.
    func begin(_ segment: Segment) -> Bool {
        change { shared in
            guard !shared.isComplete else { return false }
            shared.newest = segment
            shared.isReadOut = false
            shared.canWrap = false
            if segment.cause == .wrap {
                shared.wraps.append(segment)
            } else {
                shared.landed = segment
                shared.wraps.removeAll()
                shared.failure = nil
                landedNumber.store(segment.number, ordering: .releasing)
            }
            return true
        }
    }

    /// The source is at its end.
    ///
    /// - Parameter canWrap: whether a loop can begin it again. It does as soon as the settings allow it.
    func endReading(canWrap: Bool) {
        change { shared in
            shared.isReadOut = true
            shared.canWrap = canWrap
        }
    }

    /// A move came to nothing.
    func failMove(_ serial: Int, _ reason: String) {
        change { shared in
            guard shared.move?.serial == serial else { return }
            shared.moveFailure = reason
        }
    }
}

extension PlaybackSettings.Loop {
    /// Whether the source plays once more after so many wraps.
    func allows(_ wraps: Int) -> Bool {
        switch self {
        case .off: false
        case .times(let count): wraps < count
        case .forever: true
        }
    }
}
