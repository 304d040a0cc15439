// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// The wish that a playback goes on under another session.
struct Handover: Sendable {
    var output: EventOutput
    /// The last that the former session is told.
    var farewell: PlayerEvent
}

extension PlaybackControl {
    /// Asks the thread that posts states to go on under another session.
    ///
    /// - Returns: false if the playback is over.
    func offer(_ handover: Handover) -> Bool {
        // What was read so far is the former's, if nothing else is.
        tellBytes()
        let (isTaken, former) = change { shared -> (Bool, (EventOutput, PlayerEvent)?) in
            guard shared.published.state.isActive else { return (false, nil) }
            if shared.isUnknown {
                defer { shared.output = handover.output }
                return (true, (shared.output, handover.farewell))
            }
            // A session that was asked for and has been given up before anything was told it.
            let former = shared.handover
            shared.handover = handover
            return (true, former.map { ($0.output, $0.farewell) })
        }
        if let (output, farewell) = former { output.post(farewell) }
        return isTaken
    }

    /// Goes on under the session that was asked for: what is posted from here on is the new one's.
    ///
    /// Thread: the one that posts states; the former session has been told its last figures.
    func takeUpHandover() {
        let (former, handover) = shared.withLock { shared -> (EventOutput, Handover?) in
            let former = shared.output
            let handover = shared.handover.take()
            if let handover { shared.output = handover.output }
            return (former, handover)
        }
        if let handover { former.post(handover.farewell) }
    }

    var hasHandover: Bool { shared.withLock { $0.handover != nil } }

    /// The playback has ended without taking it up: the new session is told nothing, the former one that it is over.
    func dropHandover() {
        let (former, handover) = shared.withLock { ($0.output, $0.handover.take()) }
        if let handover { former.post(handover.farewell) }
    }

    /// Enters the last state, unless another session is to hear of it.
    ///
    /// - Returns: false if that has to be taken up first.
    func close(in state: PlayerState) -> Bool {
        shared.withLock { shared in
            guard shared.handover == nil else { return false }
            shared.published.state = state
            return true
        }
    }
}
