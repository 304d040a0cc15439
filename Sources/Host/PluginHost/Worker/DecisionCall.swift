// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import Synchronization

/// A decision that somebody waits for.
///
/// Thread: any; settled once, by the answer or by whoever waited too long.
final class DecisionCall: Sendable {
    enum Outcome: Sendable {
        case answered(WireDecision, words: String)
        /// The worker ended, or the instance never was.
        case unanswered
        case late
    }

    let question: WireWriter
    let room: DecisionRoom
    private let outcome = Mutex<Outcome?>(nil)
    private let changed = Gate()

    init(question: WireWriter, room: DecisionRoom) {
        self.question = question
        self.room = room
    }

    /// Whether nobody waits for it any more.
    var isSettled: Bool { outcome.withLock { $0 != nil } }

    /// - Returns: false if it was settled before.
    @discardableResult
    func settle(_ new: Outcome) -> Bool {
        let isFirst = outcome.withLock { outcome in
            if outcome != nil { return false }
            outcome = new
            return true
        }
        if isFirst { changed.signal() }
        return isFirst
    }

    /// Waits for the answer and gives the call up when the time is over.
    func wait(milliseconds: Int) -> Outcome {
        _ = changed.wait(milliseconds: milliseconds) { self.isSettled }
        settle(.late)
        return outcome.withLock { $0 ?? .late }
    }
}
