// SPDX-License-Identifier: Apache-2.0

internal import PlayerRuntime
internal import Sessions
internal import Synchronization

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

    var status: InstanceStatus { instance.record.status }

    /// Waits for the answer at most as long as a decision may take, also while the worker starts.
    func decide(_ request: PoolRequest) throws -> PoolDecision? {
        do throws(PluginFault) {
            let decision = try answer(to: request)
            if decision == nil { useDefault() }
            return decision
        } catch {
            useDefault()
            throw error
        }
    }

    func waitUntilStarted(withinMilliseconds milliseconds: Int) -> Bool {
        instance.waitUntilStarted(milliseconds: milliseconds)
    }

    func destroy() {
        guard !isDestroyed.exchange(true, ordering: .relaxed) else { return }
        place.destroy(instance, process: process)
    }

    private func useDefault() {
        instance.record.change { $0.defaultsUsed += 1 }
    }

    private func answer(to request: PoolRequest) throws(PluginFault) -> PoolDecision? {
        let phase = instance.phase
        guard phase != .ended else { throw ended() }
        let question = WireWriter.decide(request)
        guard question.fits else {
            var upcoming = ""
            if case .upcoming(let items) = request.kind { upcoming = " and \(items.count) upcoming items" }
            throw fault(
                .error, "was not asked: \(request.players.count) players\(upcoming) are more than a question can hold.")
        }
        let end = RealTime.now() + place.order.deadlines.decide
        // Nobody waits for what cannot come in time.
        guard !instance.isDown(until: end) else { throw ended() }
        guard instance.waitUntilStarted(milliseconds: place.order.deadlines.decide) else {
            throw late(wasReady: phase == .ready)
        }
        guard let decisions = instance.decisions else { throw ended() }
        switch decisions.ask(question, instance: instance.number, until: end) {
        case .ended: throw ended()
        case .late: throw late(wasReady: phase == .ready, at: decisions)
        case .answered(let message):
            instance.answerDecision()
            instance.record.change { $0.calls += 1 }
            return try decision(message, to: request, from: decisions)
        }
    }

    private func decision(
        _ message: [UInt8], to request: PoolRequest, from decisions: DecisionPlace
    ) throws(PluginFault) -> PoolDecision? {
        let answer: WireDecision
        do throws(WireFault) {
            answer = try WireDecision(
                message: message, instance: instance.number, room: DecisionRoom(for: request))
        } catch {
            WorkerSupervisor.shared.run { [process] loop in
                // Another one may have been started by now.
                guard let process = loop.process(process), process.decisions === decisions else { return }
                process.breakOff(error)
            }
            throw fault(.protocol, "gave an answer that is none: \(error.description); the default decision was taken.")
        }
        let words = answer.said.isEmpty ? "" : ": \(answer.said)"
        switch answer.result.meaning {
        case .ok: break
        case .decline: return nil
        case .fatal:
            let fault = fault(.error, "answered \(answer.result)\(words); it is not asked again.", isFinal: true)
            instance.end()
            throw fault
        default: throw fault(.error, "answered \(answer.result)\(words); the default decision was taken.")
        }
        do throws(InvalidDecision) {
            return try answer.decision(for: request.kind)
        } catch {
            throw fault(.invalidDecision, "gave an invalid decision: \(error); the default decision was taken.")
        }
    }

    /// - Parameter place: where it was asked; nil if it was not.
    private func late(wasReady: Bool, at place: DecisionPlace? = nil) -> PluginFault {
        let budget = self.place.order.deadlines.decide
        guard wasReady else {
            return fault(.hang, "was not ready within \(budget) ms; the default decision was taken.")
        }
        let fault = fault(.hang, "gave no answer in \(budget) ms; the default decision was taken.")
        if let place, instance.missDecision() >= WorkerLifecycle.maxMissed {
            WorkerSupervisor.shared.run { [process, instance] loop in
                loop.process(process)?.giveUpDeciding(instance, at: place)
            }
        }
        return fault
    }

    /// Writes a fault down and makes the error of it.
    private func fault(
        _ kind: StrategyStatus.Fault.Kind, _ clause: String, isFinal: Bool = false
    ) -> PluginFault {
        let fault = StrategyStatus.Fault(kind, during: "decide", detail: "decide of \(instance.name) \(clause)")
        instance.add(fault, isFinal: isFinal)
        return PluginFault(fault)
    }

    /// Why nobody can be asked; what ended the instance is in its status already.
    private func ended() -> PluginFault {
        PluginFault(
            instance.record.lastFault
                ?? StrategyStatus.Fault(
                    .error, during: "decide", detail: "decide of \(instance.name) was not asked: it was destroyed."))
    }
}
