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
        /// Of debug builds, which check the books after each.
        var operations: UInt64 = 0
        var defaultsUsed: UInt64 = 0
        /// The policy is being asked; only the ticket's owner gets to see this set.
        var isAsking = false
        /// How often upcoming items were announced; only the newest counts.
        var announcement: UInt64 = 0
        /// Event time of the last operation.
        var lastUse = EventTime.zero
        /// Somebody will look whether the pool has not been used for a while.
        var isIdleWatched = false
    }

    /// Callbacks of callbacks that may ask for players before one is told to stop.
    static let depthLimit = 8
    /// How often one waits for a player that is being stopped, before a new one is made.
    static let waitLimit = 8
    /// Operations of a debug build after each of which all players are looked at; later on after one in 16.
    static let closelyChecked = 2000
    /// Faults that are remembered one by one; what comes later is only logged.
    static let faultLimit = 64

    let state: Mutex<State>
    let ticket = PoolTicket()
    /// Where one waits for a player that is being stopped.
    let settled = Gate()
    /// Where one waits for the bound of the pool to have room.
    let room = PoolRoom()
    /// Decides; nil: the default decisions are taken.
    public let policy: (any LifecyclePolicy)?
    let policyName: String
    let takesOver: Bool
    let bindsIDs: Bool
    /// How many players may exist; nil: any number.
    public let hardMax: Int64?
    let idleTimeout: Duration?
    let hasSizeOption: Bool
    let clock: any EventClock
    let log: LogHub
    private let onOperation: (@Sendable (PoolRecord) -> Void)?

    /// - Parameters:
    ///   - policy: nil means the default decisions: create for every lease, destroy on every return.
    ///   - clock: what requests are stamped with.
    ///   - maxPoolSize: advice to the policy; nil means the policy's own wish. Values below 1 are ignored.
    ///   - hardMax: enforced, idle and leased ones counted together; nil means the policy's own wish, or no bound.
    ///   - idleTimeout: event time without an operation after which the policy is asked which idle players to give up; nil means the
    ///     policy's own wish, or never.
    ///   - onOperation: gets every operation in its order, on the thread of whoever uses the pool; must not use the pool.
    public init(
        policy: (any LifecyclePolicy)? = nil, clock: any EventClock, maxPoolSize: Int64? = nil, hardMax: Int64? = nil,
        idleTimeout: Duration? = nil, log: LogHub = .shared, onOperation: (@Sendable (PoolRecord) -> Void)? = nil
    ) {
        self.policy = policy
        policyName = policy?.policyName ?? "default"
        takesOver = policy?.takesOver ?? false
        bindsIDs = policy?.bindsIDs ?? false
        let wish = policy?.maxPoolSize
        hasSizeOption = wish != nil || maxPoolSize != nil
        self.hardMax = hardMax ?? policy?.hardMax
        self.idleTimeout = idleTimeout ?? policy?.idleTimeout
        self.clock = clock
        self.log = log
        self.onOperation = onOperation
        var initial = State(ledger: PoolLedger(strategy: policyName))
        initial.maxPoolSize = maxPoolSize.flatMap { $0 >= 1 ? $0 : nil } ?? wish
        state = Mutex(initial)
    }

    deinit {
        for entry in state.withLock({ $0.ledger.entries }) { entry.preparation?.cancel(with: .destroy) }
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

    public var maxPoolSize: Int64? { state.withLock { $0.maxPoolSize } }

    /// What is wrong with the books; nil if nothing is. For tests: it goes through all players.
    package var violation: String? { state.withLock { $0.ledger.violationInBooks } }

    /// The players as the policy saw them last, and what changed since.
    package var players: [PoolRequest.Player] { state.withLock { $0.ledger.players } }

    /// How many wait for room in `waitForPlayer`. For tests.
    package var waiting: Int { room.parked }

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

    /// Tells of an operation and gives the pool free for the next.
    func leave(_ record: PoolRecord) {
        verify(after: record.operationName)
        let isWatchWanted = state.withLock { state -> Bool in
            if record.operation == .idle { return false }
            state.lastUse = record.time
            let isWanted =
                idleTimeout != nil && !state.isIdleWatched && state.ledger.counts.idle + state.ledger.counts.unbound > 0
            if isWanted { state.isIdleWatched = true }
            return isWanted
        }
        log.d("PlayerPool", "pool \(policyName): \(record.sentence)")
        onOperation?(record)
        ticket.leave()
        if isWatchWanted { watchIdle() }
    }

    /// Ends a debug build whose books do not hold.
    func verify(after operation: @autoclosure () -> String) {
        assert(
            {
                let violation = state.withLock { state -> String? in
                    state.operations += 1
                    let looks = state.operations <= PlayerPool.closelyChecked || state.operations % 16 == 0
                    return looks ? state.ledger.violationInBooks : state.ledger.violation
                }
                if let violation { fatalError("pool \(policyName) after \(operation()): \(violation)") }
                return true
            }())
    }

    /// Counts and logs a request that changed nothing.
    func reject(_ reason: String, _ detail: String) {
        state.withLock { $0.ledger.counts.rejected[reason, default: 0] += 1 }
        log.w("PlayerPool", "pool \(policyName): \(detail)")
    }
}
