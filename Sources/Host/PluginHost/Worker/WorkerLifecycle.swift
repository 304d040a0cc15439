// SPDX-License-Identifier: Apache-2.0

internal import PlayerRuntime
internal import Sessions
internal import Synchronization
internal import WorkerWire

/// A lifecycle strategy of a plugin in a worker.
///
/// Thread: any; `decide` one at a time.
final class WorkerLifecycle: LifecycleInstance {
    /// Decisions in a row that may come too late before the worker is killed.
    private static let maxMissed = 3

    private let place: WorkerPlace
    private let instance: WorkerInstance
    private let process: UInt64
    private let isDestroyed = Atomic(false)

    init(place: WorkerPlace, instance: WorkerInstance, process: UInt64) {
        self.place = place
        self.instance = instance
        self.process = process
    }

    deinit {
        destroy()
    }

    var status: InstanceStatus { instance.status }

    /// Waits for the answer at most as long as a decision may take, also while the worker starts.
    func decide(_ request: PoolRequest) throws -> PoolDecision? {
        do throws(PluginError) {
            return try answer(to: request)
        } catch {
            instance.update { $0.defaultsUsed += 1 }
            throw error
        }
    }

    func destroy() {
        guard !isDestroyed.exchange(true, ordering: .relaxed) else { return }
        place.destroy(instance, process: process)
    }

    private func answer(to request: PoolRequest) throws(PluginError) -> PoolDecision? {
        let phase = instance.phase
        guard phase != .ended else { throw failure("it does not run any more") }
        let question = WireWriter.decide(request)
        guard question.fits else {
            throw fault(
                .error, "the pool of \(request.players.count) players does not fit a message; use a smaller pool.")
        }
        let call = DecisionCall(question: question, evictCapacity: min(request.players.count, KITW_EVICT_MAX))
        WorkerSupervisor.shared.run { [process, instance] loop in
            if let process = loop.process(process) {
                process.decide(instance, call)
            } else {
                call.settle(.failed("its worker has ended"))
            }
        }
        switch call.wait(milliseconds: place.order.deadlines.decision) {
        case .failed(let why): throw failure(why)
        case .late: throw late(wasReady: phase == .ready)
        case .answered(let answer, let said):
            instance.answerDecision()
            return try decision(answer, said: said, for: request.kind)
        }
    }

    private func decision(
        _ answer: WireDecision, said: String, for kind: PoolRequest.Kind
    ) throws(PluginError) -> PoolDecision? {
        let words = said.isEmpty ? "" : ": \(said)"
        switch answer.result.meaning {
        case .ok: break
        case .decline: return nil
        case .fatal:
            let error = fault(.error, "decide answered \(answer.result)\(words); it is not called again.")
            instance.update { $0.health = .quarantined }
            instance.end()
            throw error
        default: throw fault(.error, "decide answered \(answer.result)\(words); the default decision was taken.")
        }
        do throws(InvalidDecision) {
            return try answer.decision(for: kind)
        } catch {
            throw fault(.invalidDecision, "its decision is invalid: \(error); the default decision was taken.")
        }
    }

    private func late(wasReady: Bool) -> PluginError {
        let budget = place.order.deadlines.decision
        guard wasReady else {
            return fault(.hang, "it was not ready within \(budget) ms; the default decision was taken.")
        }
        let error = fault(.hang, "it did not decide within \(budget) ms; the default decision was taken.")
        if instance.missDecision() >= WorkerLifecycle.maxMissed {
            WorkerSupervisor.shared.run { [process, instance] loop in
                loop.process(process)?.giveUpDeciding(instance)
            }
        }
        return error
    }

    /// Writes a fault down and makes the error of it.
    private func fault(_ kind: StrategyStatus.Fault.Kind, _ detail: String) -> PluginError {
        instance.record(StrategyStatus.Fault(kind, during: "decide", detail: detail))
        return failure(detail)
    }

    private func failure(_ why: String) -> PluginError {
        PluginError(
            .worker, path: place.order.plugin.path, "\(instance.name): \(why)",
            hint: "The pool goes on with the default decision.")
    }
}
