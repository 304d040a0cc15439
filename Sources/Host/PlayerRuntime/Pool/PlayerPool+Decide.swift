// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// How the policy is asked. With the ticket.
extension PlayerPool {
    /// The policy's answer if it may be executed, else the default; what came of it is put down in `record`.
    func decide(_ kind: PoolRequest.Kind, _ record: inout PoolRecord) -> PoolDecision {
        let decision = answer(kind, &record)
        record.isDefault = decision == nil
        return decision ?? PoolDecision.fallback(for: kind)
    }

    /// nil: the default.
    private func answer(_ kind: PoolRequest.Kind, _ record: inout PoolRecord) -> PoolDecision? {
        guard let policy else { return nil }
        guard let request = makeRequest(kind, &record) else {
            state.withLock { $0.defaultsUsed += 1 }
            return nil
        }
        defer { state.withLock { $0.isAsking = false } }
        do {
            // A command that it gives is queued: it may be one for which this operation is waited for.
            guard let decision = try ThreadMark.set(during: { try policy.decide(request) }) else { return nil }
            let objection = state.withLock { state in
                state.ledger.objection(to: decision, for: request, takesOver: takesOver)
            }
            guard let objection else { return decision }
            note(
                StrategyStatus.Fault(
                    .invalidDecision, during: "decide",
                    detail: "\(policyName) gave a decision that is not executed: \(objection)."
                        + " The default was taken; report this to the strategy's author."))
        } catch {
            // A policy that keeps its own status has recorded this with more detail.
            let fault = StrategyStatus.Fault(
                .exception, during: "decide",
                detail: "\(policyName) failed to decide: \(error). The default was taken.")
            note(policy is any StatusReporting ? nil : fault)
        }
        return nil
    }

    /// nil while the policy is being asked already.
    private func makeRequest(_ kind: PoolRequest.Kind, _ record: inout PoolRecord) -> PoolRequest? {
        let seen = state.withLock { state -> PoolLedger? in
            guard !state.isAsking else { return nil }
            state.isAsking = true
            state.calls += 1
            return state.ledger
        }
        guard let seen else { return nil }
        let changes = PlayerPool.changes(in: seen, playing: &record.playing)
        return state.withLock { state in
            state.ledger.note(changes)
            return PoolRequest(
                kind: kind, nowMicroseconds: record.time.microseconds, players: state.ledger.players,
                maxPoolSize: state.maxPoolSize, hardMax: hardMax)
        }
    }

    /// Asks the players that are in use whether they play. Without the lock.
    ///
    /// - Parameter playing: gets the leases of those that do.
    /// - Returns: what the books do not know yet.
    private static func changes(
        in ledger: consuming PoolLedger, playing: inout [UInt64]
    ) -> [(index: UInt32, isPlaying: Bool)] {
        var changes: [(UInt32, Bool)] = []
        // Through pointers: a copy of each entry would cost more than the question.
        unsafe ledger.entries.withUnsafeBufferPointer { entries in
            for position in entries.indices where unsafe entries[position].condition == .active {
                let isPlaying = unsafe entries[position].player.state == .playing
                if isPlaying { unsafe playing.append(entries[position].driver) }
                if isPlaying != ledger.players[position].isPlaying {
                    unsafe changes.append((entries[position].index, isPlaying))
                }
            }
        }
        return changes
    }

    private func note(_ fault: StrategyStatus.Fault?) {
        state.withLock { state in
            state.defaultsUsed += 1
            if let fault, state.faults.count < PlayerPool.faultLimit { state.faults.append(fault) }
        }
        if let fault { log.w("PlayerPool", fault.detail) }
    }
}
