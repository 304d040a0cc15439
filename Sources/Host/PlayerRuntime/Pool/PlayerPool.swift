// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import Sessions
internal import Synchronization

/// The players of the controllers that share it: asks a lifecycle policy, checks what it answers, and does it.
///
/// One operation at a time owns the pool; later ones queue. No lock is held while the policy, the factory, a player or the holder
/// of a lease is called, and each of them may call back into the pool. What a policy asks of the pool while it decides gets
/// the default decision. Players are stopped after the operation gave the pool free.
///
/// Thread: any.
public final class PlayerPool: PlayerLifecycleStrategy {
    struct State {
        var ledger: PoolLedger
        var factory: (any PlayerFactory)?
        var maxPoolSize: Int64?
        var faults: [StrategyStatus.Fault] = []
        var calls: UInt64 = 0
        var defaultsUsed: UInt64 = 0
        /// The policy is being asked; only the ticket's owner gets to see this set.
        var isAsking = false
    }

    /// Callbacks of callbacks that may ask for players before one is told to stop.
    static let depthLimit = 8
    /// How long one waits for a player that is being stopped, and how often before a new one is made. An engine takes 500 ms at most.
    static let settleMilliseconds = 1000
    static let waitLimit = 8
    /// Faults that are remembered one by one; what comes later is only logged.
    static let faultLimit = 64

    let state: Mutex<State>
    let ticket = PoolTicket()
    /// Where one waits for a player that is being stopped.
    let settled = Gate()
    let policy: (any LifecyclePolicy)?
    let policyName: String
    let takesOver: Bool
    let bindsIDs: Bool
    let hardMax: Int64?
    private let hasSizeOption: Bool
    private let clock: any EventClock
    let log: LogHub

    /// - Parameters:
    ///   - policy: nil means the default decisions: create for every lease, destroy on every return.
    ///   - clock: what requests are stamped with.
    ///   - maxPoolSize: advice to the policy; nil means the policy's own wish. Values below 1 are ignored.
    ///   - hardMax: enforced, idle and leased ones counted together; nil means no bound.
    public init(
        policy: (any LifecyclePolicy)? = nil, clock: any EventClock, maxPoolSize: Int64? = nil, hardMax: Int64? = nil,
        log: LogHub = .shared
    ) {
        self.policy = policy
        policyName = policy?.policyName ?? "default"
        takesOver = policy?.takesOver ?? false
        bindsIDs = policy?.bindsIDs ?? false
        let wish = policy?.maxPoolSize
        hasSizeOption = wish != nil || maxPoolSize != nil
        self.hardMax = hardMax
        self.clock = clock
        self.log = log
        var initial = State(ledger: PoolLedger(strategy: policyName))
        initial.maxPoolSize = maxPoolSize.flatMap { $0 >= 1 ? $0 : nil } ?? wish
        state = Mutex(initial)
    }

    public func setup(factory: any PlayerFactory) {
        let isOther = state.withLock { state in
            guard let former = state.factory else {
                state.factory = factory
                return false
            }
            return former !== factory
        }
        if isOther { log.w("PlayerPool", "pool \(policyName) has a player factory already; the later one is ignored") }
    }

    public var counts: PoolReport {
        state.withLock { $0.ledger.counts }
    }

    public var status: StrategyStatus {
        let (faults, calls, defaultsUsed) = state.withLock { ($0.faults, $0.calls, $0.defaultsUsed) }
        var status =
            (policy as? any StatusReporting)?.status
            ?? StrategyStatus(
                name: policyName, id: policyName, kinds: ["lifecycle"],
                origin: policy == nil ? "built-in" : "native", runs: .inProcess)
        if !(policy is any StatusReporting) { status.calls = calls }
        status.faults += faults
        status.defaultsUsed = max(status.defaultsUsed, defaultsUsed)
        return status
    }

    /// The pool's advice to the policy of how many players to keep; nil if none is set.
    public var maxPoolSize: Int64? { state.withLock { $0.maxPoolSize } }

    /// Changes the advice and lets the policy give up what is too much.
    ///
    /// - Returns: false, and nothing is changed, below 1 and for a policy that has no such option.
    @discardableResult
    public func setMaxPoolSize(_ size: Int64) -> Bool {
        guard size >= 1, hasSizeOption else {
            state.withLock { $0.ledger.counts.rejected["maxPoolSize", default: 0] += 1 }
            log.w("PlayerPool", "pool \(policyName) does not take \(size) as its size")
            return false
        }
        _ = ticket.enter()
        state.withLock { $0.maxPoolSize = size }
        let decision = decide(.resize).decision
        let victims = state.withLock { $0.ledger.evict(decision.evict) }
        leave()
        dispose(of: victims)
        return true
    }

    @discardableResult
    public func clear() -> [PlayerHandle] {
        _ = ticket.enter()
        let decision = decide(.clear).decision
        let (destroyed, victims) = state.withLock { state -> ([PlayerHandle], [PoolLedger.Victim]) in
            var idle: [PlayerHandle] = []
            for handle in decision.evict {
                guard let position = state.ledger.position(handle) else { continue }
                if state.ledger[position].condition == .active {
                    state.ledger[position].isDoomed = true
                } else {
                    idle.append(handle)
                }
            }
            return (idle, idle.compactMap { state.ledger.position($0).map { state.ledger.remove($0) } })
        }
        leave()
        dispose(of: victims)
        return destroyed
    }

    /// Gives the pool free for the next operation.
    func leave() {
        assert(state.withLock { $0.ledger.isBalanced }, "created = idle + active + unbound + destroyed does not hold")
        ticket.leave()
    }

    /// Tells the holders, then stops and destroys. Without the ticket.
    func dispose(of victims: [PoolLedger.Victim], because reason: LeaseRevocation = .evicted) {
        for victim in victims {
            victim.onRevoke?(reason)
            if victim.destroys { victim.player.destroy() }
        }
    }

    /// Brings a returned player to rest, or destroys it if it was given up meanwhile or does not come to rest. Without the ticket.
    ///
    /// - Returns: whether it may be used again.
    @discardableResult
    func settle(_ player: any MediaPlayer, index: UInt32) -> Bool {
        player.stop()
        player.reset()
        let isAtRest = player.state == .idle
        let (isKept, destroys) = state.withLock { state -> (Bool, Bool) in
            guard let position = state.ledger.position(index: index) else { return (false, true) }
            state.ledger[position].isSettling = false
            if isAtRest { return (true, false) }
            return (false, state.ledger.remove(position).destroys)
        }
        settled.signal()
        if destroys { player.destroy() }
        return isKept
    }
}

extension PlayerPool {
    /// The policy's answer if it may be executed, else the default. With the ticket.
    func decide(_ kind: PoolRequest.Kind) -> (decision: PoolDecision, isDefault: Bool) {
        let fallback = (PoolDecision.fallback(for: kind), true)
        guard let policy else { return fallback }
        guard let request = makeRequest(kind) else {
            state.withLock { $0.defaultsUsed += 1 }
            return fallback
        }
        defer { state.withLock { $0.isAsking = false } }
        do {
            guard let decision = try policy.decide(request) else { return fallback }
            let objection = state.withLock { state in
                state.ledger.objection(to: decision, for: request, takesOver: takesOver)
            }
            guard let objection else { return (decision, false) }
            record(
                StrategyStatus.Fault(
                    .invalidDecision, during: "decide",
                    detail: "\(policyName) gave a decision that is not executed: \(objection)."
                        + " The default was taken; report this to the strategy's author."))
        } catch {
            // A policy that keeps its own status has recorded this with more detail.
            let fault = StrategyStatus.Fault(
                .exception, during: "decide",
                detail: "\(policyName) failed to decide: \(error). The default was taken.")
            record(policy is any StatusReporting ? nil : fault)
        }
        return fallback
    }

    /// nil while the policy is being asked already.
    private func makeRequest(_ kind: PoolRequest.Kind) -> PoolRequest? {
        let now = clock.now()
        let seen = state.withLock { state -> ([PoolLedger.Entry], Int64?)? in
            guard !state.isAsking else { return nil }
            state.isAsking = true
            state.calls += 1
            return (state.ledger.entries, state.maxPoolSize)
        }
        guard let (entries, maxPoolSize) = seen else { return nil }
        let players = entries.map { entry in
            PoolRequest.Player(
                handle: entry.handle, condition: entry.condition, isPlaying: entry.player.state == .playing,
                uniqueID: entry.uniqueID, createdSequence: entry.createdSequence,
                acquiredSequence: entry.acquiredSequence, idleSequence: entry.idleSequence)
        }
        return PoolRequest(
            kind: kind, nowMicroseconds: now.microseconds, players: players, maxPoolSize: maxPoolSize, hardMax: hardMax)
    }

    private func record(_ fault: StrategyStatus.Fault?) {
        state.withLock { state in
            state.defaultsUsed += 1
            if let fault, state.faults.count < PlayerPool.faultLimit { state.faults.append(fault) }
        }
        if let fault { log.w("PlayerPool", fault.detail) }
    }

    /// Counts and logs a request that changed nothing.
    func reject(_ reason: String, _ detail: String) {
        state.withLock { $0.ledger.counts.rejected[reason, default: 0] += 1 }
        log.w("PlayerPool", "pool \(policyName): \(detail)")
    }
}

extension PoolDecision {
    /// What is done without a strategy: create; destroy; give up nothing; prepare nothing.
    static func fallback(for kind: PoolRequest.Kind) -> PoolDecision {
        switch kind {
        case .acquire: PoolDecision(.create)
        case .recycle: PoolDecision(.destroy)
        case .preload, .clear, .resize: PoolDecision(.none)
        }
    }
}
