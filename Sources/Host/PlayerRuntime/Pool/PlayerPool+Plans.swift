// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import MediaCore
public import Sessions
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
        let (isDue, rest) = idleDue
        if isDue { askIdle() }
        guard let rest, rest > 0 else { return state.withLock { $0.isIdleWatched = false } }
        watchIdle(after: rest)
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

    /// Whether the time-out is over, and the microseconds that are left of it; nil: there is nothing to wait for.
    private var idleDue: (Bool, Int64?) {
        guard let idleTimeout else { return (false, nil) }
        let now = clock.now()
        let (lastUse, kept) = state.withLock { ($0.lastUse, $0.ledger.counts.idle + $0.ledger.counts.unbound) }
        guard kept > 0 else { return (false, nil) }
        let rest = idleTimeout.wholeMicroseconds - (now - lastUse)
        return rest > 0 ? (false, rest) : (true, nil)
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
        dispose(of: victims)
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
        dispose(of: victims)
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
        while outcome.created < decision.createCount {
            do throws(PlayerError) {
                let player = try make(from: factory)
                state.withLock { _ = $0.ledger.add(player, condition: bindsIDs ? .unbound : .idle) }
                outcome.created += 1
            } catch {
                outcome.error = error
                break
            }
        }
        let victims = evict(decision.evict, replacedBy: outcome.created, outcome.error, for: "preload")
        record.created = outcome.created
        record.evicted = victims.map(\.player.playerID)
        leave(record)
        dispose(of: victims)
        return outcome
    }

    @discardableResult
    public func announce(
        upcoming items: [UpcomingItem], prepare make: (UpcomingPlan.Preparation) -> PlayerPreparation?
    ) -> UpcomingPlan {
        let depth = ticket.enter()
        var record = PoolRecord(.upcoming(items), at: clock.now())
        let (asked, announcement) = state.withLock { state in
            state.announcement += 1
            return (state.ledger.upcoming(items), state.announcement)
        }
        let decision = depth <= PlayerPool.depthLimit ? decide(.upcoming(asked), &record) : PoolDecision(.none)
        var plan = UpcomingPlan()
        var created: Int64 = 0
        for preparation in decision.prepare {
            do throws(PlayerError) {
                guard let prepared = try prepare(preparation, for: asked[preparation.item].uniqueID) else { continue }
                plan.preparations.append(prepared)
                if preparation.player == nil { created += 1 }
            } catch {
                plan.error = error
                break
            }
        }
        let victims = evict(decision.evict, replacedBy: created, plan.error, for: "upcoming")
        let wanted = Set(plan.preparations.map(\.handle))
        let cancelled = state.withLock { $0.ledger.cancelPreparations(except: wanted) }
        record.created = created
        record.evicted = victims.map(\.player.playerID)
        record.prepared = plan.preparations.map {
            .init(uniqueID: $0.uniqueID, stage: $0.stage.name, player: $0.player.playerID)
        }
        leave(record)
        dispose(of: victims)
        for entry in cancelled { settle(entry.player, index: entry.index, ending: entry.preparation) }
        // Another thread may be bringing one to rest.
        _ = settled.wait(milliseconds: PlayerPool.settleMilliseconds) {
            state.withLock { state in !wanted.contains(where: state.ledger.isSettling) }
        }
        for planned in plan.preparations {
            if let preparation = make(planned) { carryOut(planned, of: announcement, with: preparation) }
        }
        return plan
    }

    /// Gives up players once those in their place are there: where the factory failed, no more than it has replaced.
    private func evict(
        _ handles: [PlayerHandle], replacedBy created: Int64, _ failure: PlayerError?, for reason: String
    ) -> [PoolLedger.Victim] {
        let count = failure == nil ? handles.count : min(handles.count, Int(created))
        return state.withLock { $0.ledger.evict(Array(handles.prefix(count)), for: reason) }
    }

    /// Has a player do what is planned, unless it is another's meanwhile or something else was announced.
    private func carryOut(
        _ planned: UpcomingPlan.Preparation, of announcement: UInt64, with preparation: PlayerPreparation
    ) {
        let former = planned.running === preparation ? nil : state.withLock { $0.ledger.takeBack(planned.handle) }
        if let former { settle(former.player, index: former.index, ending: former.preparation) }
        // With the ticket, so that nobody leases a player that has half of it. Nothing here waits.
        _ = ticket.enter()
        defer { ticket.leave() }
        let isFree = state.withLock { state in
            guard state.announcement == announcement, let position = state.ledger.position(planned.handle),
                state.ledger[position].condition == .idle, !state.ledger[position].isSettling,
                state.ledger[position].preparation === (planned.running === preparation ? preparation : nil)
            else { return false }
            state.ledger[position].preparation = preparation
            return true
        }
        guard isFree else { return }
        if planned.running === preparation {
            preparation.proceed(to: planned.stage)
        } else {
            preparation.begin(to: planned.stage) { [weak self] stage in self?.reached(stage, planned.handle) }
        }
    }

    /// nil: the player is not free any more, which only a callback of this very operation can have done.
    private func prepare(
        _ preparation: PoolDecision.Preparation, for uniqueID: String
    ) throws(PlayerError) -> UpcomingPlan.Preparation? {
        var made: (any MediaPlayer)?
        if preparation.player == nil {
            guard let factory = state.withLock({ $0.factory }) else { throw notSetUp }
            made = try make(from: factory)
        }
        return state.withLock { state in
            let position =
                made.map { state.ledger.add($0, condition: .idle, uniqueID: uniqueID) }
                ?? preparation.player.flatMap { state.ledger.position($0) }
            guard let position, state.ledger[position].condition != .active else { return nil }
            if state.ledger[position].uniqueID != uniqueID { state.ledger.bind(position, to: uniqueID) }
            let entry = state.ledger[position]
            return UpcomingPlan.Preparation(
                uniqueID: uniqueID, stage: preparation.stage, reached: entry.stage, handle: entry.handle,
                player: entry.player, running: entry.preparation?.uniqueID == uniqueID ? entry.preparation : nil)
        }
    }

    /// Says how far a player that `announce` named was brought.
    ///
    /// - Returns: false if it is leased or given up meanwhile.
    @discardableResult
    public func reached(_ stage: PoolRequest.Stage, _ handle: PlayerHandle) -> Bool {
        state.withLock { state in
            guard let position = state.ledger.position(handle), state.ledger[position].condition == .idle else {
                return false
            }
            state.ledger[position].stage = stage
            return true
        }
    }

    private var notSetUp: PlayerError {
        PlayerError(
            .illegalState, "pool \(policyName) was asked to make players before it was set up",
            hint: "Call setup(factory:) first.")
    }
}

extension PoolLedger {
    /// What of the announced items the pool holds.
    fileprivate func upcoming(_ items: [UpcomingItem]) -> [PoolRequest.Upcoming] {
        var held: [String: Int] = [:]
        for (position, entry) in entries.enumerated() where !entry.uniqueID.isEmpty { held[entry.uniqueID] = position }
        return items.map { item in
            let entry = held[item.uniqueID].map { entries[$0] }
            return PoolRequest.Upcoming(
                uniqueID: item.uniqueID, distance: item.distance, player: entry?.handle, stage: entry?.stage ?? .none)
        }
    }

    /// Takes back what was made ready and is not wanted any more; the players keep their ids.
    ///
    /// - Returns: players to bring to rest.
    fileprivate mutating func cancelPreparations(except wanted: Set<PlayerHandle>) -> [Entry] {
        let unwanted = entries.filter { entry in
            // Of two ids, the player is now bound to the other.
            let isStale = entry.preparation.map { $0.uniqueID != entry.uniqueID } ?? false
            return isStale || !wanted.contains(entry.handle)
        }
        return unwanted.compactMap { takeBack($0.handle) }
    }

    /// Takes back what was made ready in a player that nobody holds.
    ///
    /// - Returns: the player to bring to rest, as it was; nil if nothing is ready in it.
    fileprivate mutating func takeBack(_ handle: PlayerHandle) -> Entry? {
        guard let position = position(handle) else { return nil }
        let entry = entries[position]
        guard entry.condition == .idle, entry.isPrepared, !entry.isSettling else { return nil }
        self[position].stage = .none
        self[position].preparation = nil
        self[position].isSettling = true
        return entry
    }
}

extension PoolRequest.Stage {
    /// As logs spell it.
    public var name: String {
        switch self {
        case .none: "none"
        case .connected: "connected"
        case .cached: "cached"
        case .prepared: "prepared"
        case .firstFrame: "first_frame"
        }
    }
}
