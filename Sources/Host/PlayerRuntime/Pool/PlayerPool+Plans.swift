// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import MediaCore
internal import Sessions
internal import Synchronization

/// What concerns the pool as a whole.
extension PlayerPool {
    @discardableResult
    public func setMaxPoolSize(_ size: Int64) -> Bool {
        guard size >= 1, hasSizeOption else {
            reject("maxPoolSize", "\(size) is not taken as its size")
            return false
        }
        carryOut(.resize, as: .resize(size), because: "resize") { $0.maxPoolSize = size }
        return true
    }

    public func relieve(_ pressure: PoolRequest.Pressure) {
        carryOut(.pressure(pressure), as: .pressure(isCritical: pressure == .critical), because: "pressure")
        if pressure == .critical { relieveFactory() }
    }

    /// Asks which idle players to give up if the pool was not used for its idle time-out. It is called by a timer of the pool's own.
    package func trimIdle() {
        // With the ticket, so that nothing is used between the look and the question.
        _ = ticket.enter()
        let time = lookAtIdleTime()
        if case .due = time { askIdle() }
        ticket.leave()
        if case .rest(let microseconds) = time { watchIdle(after: microseconds) }
    }

    /// Asks which idle players to give up as if the pool had not been used for its time-out.
    package func askIdle() {
        carryOut(.idle, as: .idle, because: "idle")
        relieveFactory()
    }

    /// What it keeps for players to come is not worth its memory now.
    private func relieveFactory() {
        state.withLock { $0.factory }?.relieve()
    }

    private enum IdleTime {
        case nothingToWaitFor
        case due
        case rest(microseconds: Int64)
    }

    /// In one step with no longer being watched, unless there is something to wait for: an operation that comes later begins anew.
    private func lookAtIdleTime() -> IdleTime {
        let now = clock.now()
        return state.withLock { state in
            let kept = state.ledger.counts.idle + state.ledger.counts.unbound
            guard let idleTimeout, kept > 0 else {
                state.isIdleWatched = false
                return .nothingToWaitFor
            }
            let rest = idleTimeout.wholeMicroseconds - (now - state.lastUse)
            state.isIdleWatched = rest > 0
            return rest > 0 ? .rest(microseconds: rest) : .due
        }
    }

    /// Looks later whether the pool was not used; the moment is real time, whether it is due event time.
    func watchIdle(after microseconds: Int64? = nil) {
        guard let wait = microseconds ?? idleTimeout?.wholeMicroseconds else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(Int(wait))) { [weak self] in
            self?.trimIdle()
        }
    }

    /// Asks for players to give up and gives them up.
    private func carryOut(
        _ kind: PoolRequest.Kind, as operation: PoolRecord.Operation, because reason: String,
        after change: (inout State) -> Void = { _ in }
    ) {
        _ = ticket.enter()
        var record = PoolRecord(operation, at: clock.now())
        state.withLock { change(&$0) }
        let decision = decide(kind, &record)
        let victims = state.withLock { $0.ledger.evict(decision.evict, for: reason) }
        record.evicted = victims.map(\.player.playerID)
        leave(record)
        release(victims)
    }

    @discardableResult
    public func clear() -> [PlayerHandle] {
        _ = ticket.enter()
        var record = PoolRecord(.clear, at: clock.now())
        let decision = decide(.clear, &record)
        let (destroyed, victims) = state.withLock { state -> ([PlayerHandle], [PoolLedger.Victim]) in
            var kept: [PlayerHandle] = []
            for handle in decision.evict {
                guard let position = state.ledger.position(handle) else { continue }
                if state.ledger[position].condition == .active {
                    state.ledger[position].isDoomed = true
                } else {
                    kept.append(handle)
                }
            }
            state.ledger.resumes.forgetAll()
            return (kept, state.ledger.remove(kept))
        }
        record.evicted = victims.map(\.player.playerID)
        let isRefused = !record.isDefault && decision.evict.isEmpty && poolCount > 0
        leave(record)
        if isRefused { log.w("PlayerPool", "pool \(policyName) does not let go of its players when it is cleared") }
        release(victims)
        relieveFactory()
        return destroyed
    }

    @discardableResult
    public func preload(count: Int64) -> PreloadOutcome {
        guard count > 0 else { return PreloadOutcome(asked: count, created: 0) }
        guard let factory = state.withLock({ $0.factory }) else {
            return PreloadOutcome(asked: count, created: 0, error: notSetUp)
        }
        var outcome = PreloadOutcome(asked: count, created: 0)
        let depth = ticket.enter()
        var record = PoolRecord(.preload(count: count), at: clock.now())
        let decision =
            depth <= PlayerPool.depthLimit ? decide(.preload(count: count), &record) : PoolDecision(.none)
        var room = Replacement(of: decision.evict, for: "preload")
        while outcome.created < decision.createCount {
            do throws(PlayerError) {
                let player = try make(from: factory)
                _ = try add(player, condition: bindsIDs ? .unbound : .idle, in: &room)
                outcome.created += 1
            } catch {
                outcome.error = error
                break
            }
        }
        let victims = finish(room, replacedBy: outcome.created, outcome.error)
        record.created = outcome.created
        record.evicted = victims.map(\.player.playerID)
        leave(record)
        release(victims)
        return outcome
    }

    var notSetUp: PlayerError {
        PlayerError(
            .illegalState, "pool \(policyName) was asked to make players before it was set up",
            hint: "Call setup(factory:) first.")
    }
}
