// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import Sessions
import Synchronization

/// A stranger's lifecycle strategy in this process: asked on a lane of its own. Whoever asks waits until the deadline and no
/// longer; a late answer is discarded, and after three late ones in a row the lane is abandoned.
///
/// Thread: any; decisions are asked for one at a time.
final class LaneLifecycle: LifecycleInstance {
    private static let lateAnswersAllowed = 3

    /// One question and, once it is there, its answer.
    private final class Question: Sendable {
        struct State {
            var answer: Result<PoolDecision?, PluginFault>?
            var isGivenUp = false
        }

        let request: PoolRequest
        let state = Mutex(State())
        let answered = Gate()

        init(_ request: PoolRequest) {
            self.request = request
        }
    }

    private let library: PluginLibrary
    private let name: String
    private let deadlines: CallDeadlines
    private let record: InstanceRecord
    private let watch = CallWatch()
    private let lane: Lane
    private let lateInARow = Mutex(0)
    // Touched by jobs of the lane only.
    nonisolated(unsafe) private let calls: LifecycleCalls

    /// Starts the lane and queues the creation.
    init(
        library: PluginLibrary, name: String, options: [PluginOption], deadlines: CallDeadlines, health: PluginHealth?
    ) {
        self.library = library
        self.name = name
        self.deadlines = deadlines
        record = InstanceRecord(health: health, options: options)
        lane = Lane(watch: watch)
        // The deadline of a decision is kept by whoever asks; the watch finds what outlives all the chances it has.
        var watched = deadlines
        watched.decide *= LaneLifecycle.lateAnswersAllowed
        let instance = PluginInstance(library: library, name: name, record: record, deadlines: watched, watch: watch)
        unsafe calls = LifecycleCalls(instance: instance)
        lane.submit { unsafe self.calls.create(options: options) }
    }

    deinit {
        lane.close()
    }

    func decide(_ request: PoolRequest) throws -> PoolDecision? {
        look()
        do {
            let decision = try ask(request)
            if decision == nil { record.change { $0.defaultsUsed += 1 } }
            return decision
        } catch {
            record.change { $0.defaultsUsed += 1 }
            throw error
        }
    }

    func waitUntilStarted(withinMilliseconds milliseconds: Int) -> Bool {
        lane.waitUntilIdle(milliseconds: milliseconds)
    }

    func destroy() {
        lane.close { unsafe self.calls.destroy() }
        if lane.waitUntilIdle(milliseconds: deadlines.destroy) { return }
        if let call = watch.abandon() { recordHang(call) }
    }

    var status: InstanceStatus {
        look()
        return record.status
    }

    private func ask(_ request: PoolRequest) throws(PluginFault) -> PoolDecision? {
        if record.isOver, let fault = record.lastFault { throw PluginFault(fault) }
        let question = Question(request)
        lane.submit {
            if question.state.withLock({ $0.isGivenUp }) { return }
            let answer = Result { () throws(PluginFault) in try unsafe self.calls.decide(question.request) }
            question.state.withLock { $0.answer = answer }
            question.answered.signal()
        }
        let isInTime = question.answered.wait(milliseconds: deadlines.decide) {
            question.state.withLock { $0.answer != nil }
        }
        let answer = question.state.withLock { state in
            state.isGivenUp = !isInTime
            return isInTime ? state.answer : nil
        }
        guard let answer else { throw late() }
        lateInARow.withLock { $0 = 0 }
        return try answer.get()
    }

    /// Records a decision that did not come in time.
    private func late() -> PluginFault {
        let count = lateInARow.withLock { count in
            count += 1
            return count
        }
        let fault = StrategyStatus.Fault(
            .hang, during: "decide",
            detail:
                "decide of \(name) (\(library.path)) gave no answer in \(deadlines.decide) ms; the default decision was taken."
        )
        record.add(fault, isFinal: false)
        if count >= LaneLifecycle.lateAnswersAllowed, watch.running == "decide", let call = watch.abandon() {
            recordHang(call)
        }
        return PluginFault(fault)
    }

    /// Finds out whether the running call hangs.
    private func look() {
        if let call = watch.findOverdue() { recordHang(call) }
    }

    private func recordHang(_ call: String) {
        PluginInstance.recordHang(call, of: name, library: library, in: record)
    }
}
