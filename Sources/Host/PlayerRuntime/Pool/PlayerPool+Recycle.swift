// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

extension PlayerPool {
    @discardableResult
    public func recyclePlayer(_ lease: PlayerLease, uniqueID: String?, force: Bool) -> RecycleOutcome {
        _ = ticket.enter()
        let rejection = state.withLock { state in
            state.ledger.rejection(of: lease, uniqueID: uniqueID, pool: ObjectIdentifier(self))
        }
        if let rejection {
            leave()
            reject(rejection.rawValue, "player \(lease.player.playerID) was not taken back: \(rejection.rawValue)")
            return rejection
        }
        let isDoomed = state.withLock { state in
            state.ledger.position(lease.handle).map { state.ledger[$0].isDoomed } ?? false
        }
        let (decision, isDefault) =
            isDoomed && !force
            ? (PoolDecision(.destroy), false)
            : decide(.recycle(player: lease.handle, uniqueID: lease.uniqueID, force: force))
        let (outcome, victims) = state.withLock { state -> (RecycleOutcome, [PoolLedger.Victim]) in
            // A callback of the policy may have given it back itself.
            guard let position = state.ledger.position(lease.handle) else { return (.rejectedStaleLease, []) }
            if decision.action == .keep {
                state.ledger.giveBack(position, keepsID: bindsIDs)
                state.ledger[position].isSettling = true
                return (bindsIDs ? .retained : .pooled, state.ledger.evict(decision.evict))
            }
            var returned = state.ledger.remove(position)
            returned.onRevoke = nil
            let evicted = state.ledger.evict(decision.evict)
            return (destroyedOutcome(force: force, isDoomed: isDoomed, isDefault: isDefault), [returned] + evicted)
        }
        leave()
        if outcome == .pooled || outcome == .retained {
            let isKept = settle(lease.player, index: lease.handle.index)
            dispose(of: victims)
            return isKept ? outcome : .stopFailedDestroyed
        }
        dispose(of: victims)
        return outcome
    }

    private func destroyedOutcome(force: Bool, isDoomed: Bool, isDefault: Bool) -> RecycleOutcome {
        if force { return .destroyedForce }
        if isDoomed { return .destroyedCleared }
        return isDefault ? .destroyed : .destroyedFull
    }

    @discardableResult
    public func preload(count: Int64) -> PreloadOutcome {
        guard count > 0, let factory = state.withLock({ $0.factory }) else {
            let error = count > 0 ? PlayerError(.illegalState, "pool \(policyName) was not set up") : nil
            return PreloadOutcome(asked: count, created: 0, error: error)
        }
        var outcome = PreloadOutcome(asked: count, created: 0)
        let depth = ticket.enter()
        let decision = depth <= PlayerPool.depthLimit ? decide(.preload(count: count)).decision : PoolDecision(.none)
        while outcome.created < decision.createCount {
            do throws(PlayerError) {
                let player = try factory.makePlayer()
                state.withLock { state in
                    _ = state.ledger.add(player, condition: bindsIDs ? .unbound : .idle)
                }
                outcome.created += 1
            } catch {
                outcome.error = error
                break
            }
        }
        let victims = outcome.error == nil ? state.withLock { $0.ledger.evict(decision.evict) } : []
        leave()
        dispose(of: victims)
        return outcome
    }
}
