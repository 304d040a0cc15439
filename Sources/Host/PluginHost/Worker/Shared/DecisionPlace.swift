// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import MediaCore
internal import Synchronization
internal import WorkerWire

/// Where decisions are asked for and answered: the thread that wants one writes the question and waits for the worker itself, with nobody
/// in between.
///
/// Thread: any.
final class DecisionPlace: Sendable {
    enum Outcome: Sendable {
        /// The bytes of the answer's message, not yet looked at.
        case answered([UInt8])
        case late
        /// The worker has ended, or will have.
        case ended
    }

    private struct State {
        var isTaken = false
        var isClosed = false
        /// The number of the question that was asked last, and of the last one that is known to be answered.
        var asked: UInt32 = 0
        var settled: UInt32 = 0
    }

    private let memory: SharedMemory
    private let state = Mutex(State())
    private let changed = Gate()

    init(_ memory: SharedMemory) {
        self.memory = memory
    }

    /// Whether a question is not answered yet, so that it is the worker's last call if it ends now.
    var isPending: Bool { state.withLock { $0.settled != $0.asked } }

    /// Asks, and waits for the answer.
    ///
    /// - Parameter end: real time. An answer that comes later is thrown away; until then nobody else is answered.
    func ask(_ question: WireWriter, instance: UInt32, until end: RealTime) -> Outcome {
        guard take(until: end) else { return state.withLock { $0.isClosed } ? .ended : .late }
        defer { release() }
        // An answer to whoever gave up before may still come.
        let former = state.withLock { $0.asked }
        guard wait(for: former, until: end) else { return state.withLock { $0.isClosed } ? .ended : .late }
        let number = former == .max ? 1 : former + 1
        unsafe question.message(call: UInt64(number), instance: instance).withUnsafeBytes {
            unsafe memory.write($0, at: KITW_QUESTION)
        }
        state.withLock { $0.asked = number }
        unsafe kitw_store32(&memory.host.pointee.asked, number)
        memory.ring()
        guard wait(for: number, until: end) else { return state.withLock { $0.isClosed } ? .ended : .late }
        var answer: [UInt8] = []
        do throws(WireFault) {
            try memory.readMessage(at: KITW_ANSWER, room: KITW_PLACE_SIZE, into: &answer)
            return .answered(answer)
        } catch {
            // Not even a message: whoever decodes it says what it is.
            return .answered([])
        }
    }

    /// The worker has ended: nobody is answered any more.
    func close() {
        state.withLock { $0.isClosed = true }
        // Nobody else writes there now; a change keeps whoever is about to wait from it.
        unsafe kitw_add32(&memory.worker.pointee.answered)
        unsafe clinux_futex_wake(&memory.worker.pointee.answered)
        changed.signal()
    }

    private var answered: UInt32 { unsafe kitw_load32(&memory.worker.pointee.answered) }

    /// One at a time.
    private func take(until end: RealTime) -> Bool {
        var isMine = false
        _ = changed.wait(milliseconds: end.millisecondsLeft) {
            self.state.withLock { state in
                if state.isClosed { return true }
                if !state.isTaken { (state.isTaken, isMine) = (true, true) }
                return isMine
            }
        }
        return isMine
    }

    private func release() {
        state.withLock { $0.isTaken = false }
        changed.signal()
    }

    private func wait(for number: UInt32, until end: RealTime) -> Bool {
        while true {
            let seen = answered
            if state.withLock({ $0.isClosed }) { return false }
            if seen == number {
                state.withLock { $0.settled = number }
                return true
            }
            let left = end.nanosecondsLeft
            guard left > 0 else { return false }
            unsafe clinux_futex_wait(&memory.worker.pointee.answered, seen, left)
        }
    }
}
