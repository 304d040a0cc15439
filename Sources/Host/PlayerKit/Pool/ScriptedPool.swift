// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import MediaCore
internal import PlayerRuntime
internal import Sessions
internal import Synchronization

/// A pool of players without media, and the leases that were given under names. Carries commands out and says in JSON what came of
/// each.
///
/// Thread: one at a time.
final class ScriptedPool {
    static let schema = "kitshell.pool/1"

    let pool: PlayerPool
    private let factory = ScriptedFactory()
    private let clock = ScriptedClock()
    private let records: Records
    private var leases: [String: PlayerLease] = [:]

    /// What the pool did for the command that is carried out.
    private final class Records: Sendable {
        private let last = Mutex<PoolRecord?>(nil)

        func set(_ record: PoolRecord) { last.withLock { $0 = record } }
        func take() -> PoolRecord? { last.withLock { $0.take() } }
    }

    init(policy: (any LifecyclePolicy)?, log: LogHub) {
        let records = Records()
        self.records = records
        pool = PlayerPool(policy: policy, clock: clock, log: log) { records.set($0) }
        pool.setup(factory: factory)
    }

    /// Carries out a recorded operation at its time, with those players playing that played then.
    ///
    /// - Returns: nil where there is nothing to carry out.
    func perform(_ record: PoolRecord) -> JSONValue? {
        guard let command = PoolCommand(record) else { return nil }
        // Whoever was given no player then had none to give back; now it asks for the next.
        if case .acquire = command, let stray = leases.removeValue(forKey: PoolCommand.noName) {
            pool.recyclePlayer(stray)
        }
        clock.advance(to: record.time)
        let playing = Set(record.playing.map { "\($0)" })
        for (name, lease) in leases where pool.check(lease) == nil {
            playing.contains(name) ? lease.player.start() : lease.player.pause()
        }
        return perform(command)
    }

    func perform(_ command: PoolCommand) -> JSONValue {
        let answer = answer(to: command)
        var members: [(String, JSONValue)] = [("schema", .string(ScriptedPool.schema))]
        members += answer
        if case .failFactoryAfter = command {} else { members.append(("counts", counts)) }
        return .object(JSONObject(members.map { JSONObject.Member($0.0, $0.1) }))
    }

    private func answer(to command: PoolCommand) -> [(String, JSONValue)] {
        switch command {
        case .acquire(let id, let name): return acquire(id, name)
        case .recycle(let name, let id, let force):
            let (outcome, record) = recycle(name, id: id, force: force)
            return [("op", "recycle"), ("as", .string(name))] + (id.map { [("id", JSONValue.string($0))] } ?? []) + [
                ("player", player(name)), ("force", .bool(force)), ("outcome", .string(outcome)),
                ("evicted", numbers(record?.evicted)),
            ]
        case .giveBack(let name):
            let (outcome, _) = recycle(name, id: nil, force: false)
            return [
                ("op", "return"), ("as", .string(name)), ("player", player(name)), ("outcome", .string(outcome)),
            ]
        case .lend(let lender, let borrower): return lend(lender, to: borrower)
        case .reclaim(let name):
            let outcome = leases[name].map { pool.reclaimPlayer($0)?.rawValue ?? "reclaimed" } ?? ScriptedPool.unbound
            return [
                ("op", "reclaim"), ("as", .string(name)), ("player", player(name)), ("outcome", .string(outcome)),
            ]
        case .play(let name): return play(name)
        case .max(let size):
            let isSet = pool.setMaxPoolSize(size)
            return [
                ("op", "max"), ("value", .int(size)), ("outcome", isSet ? "set" : "rejected"),
                ("evicted", numbers(records.take()?.evicted)),
            ]
        case .preload(let count):
            let outcome = pool.preload(count: count)
            _ = records.take()
            return [("op", "preload"), ("asked", .int(count)), ("created", .int(outcome.created))]
        case .clear:
            pool.clear()
            return [("op", "clear"), ("destroyed", numbers(records.take()?.evicted))]
        case .pressure(let isCritical):
            pool.relieve(isCritical ? .critical : .moderate)
            return [
                ("op", "pressure"), ("level", isCritical ? "critical" : "moderate"),
                ("evicted", numbers(records.take()?.evicted)),
            ]
        case .idle:
            pool.askIdle()
            return [("op", "idle"), ("evicted", numbers(records.take()?.evicted))]
        case .upcoming(let items): return announce(items)
        case .failFactoryAfter(let count):
            factory.fail(after: count)
            return [("op", "fail-factory-after"), ("value", .int(count))]
        case .counts: return [("op", "counts")]
        }
    }

    // MARK: Leases

    /// What is said of a name that stands for no lease.
    private static let unbound = RecycleOutcome.rejectedUnknown.rawValue

    private func acquire(_ id: String, _ name: String) -> [(String, JSONValue)] {
        let lease = try? pool.acquirePlayer(uniqueID: id)
        let record = records.take()
        if let lease { leases[name] = lease }
        return [
            ("op", "acquire"), ("id", .string(id)), ("as", .string(name)),
            ("outcome", .string(record?.outcome ?? "failed")), ("player", JSONValue(lease?.player.playerID)),
            ("evicted", numbers(record?.evicted)),
        ]
    }

    private func recycle(_ name: String, id: String?, force: Bool) -> (outcome: String, PoolRecord?) {
        guard let lease = leases[name] else { return (ScriptedPool.unbound, nil) }
        let outcome = pool.recyclePlayer(lease, uniqueID: id, force: force)
        return (outcome.rawValue, records.take())
    }

    private func lend(_ lender: String, to borrower: String) -> [(String, JSONValue)] {
        var outcome = ScriptedPool.unbound
        if let lease = leases[lender] {
            switch pool.lendPlayer(of: lease, onChange: { _ in }) {
            case .lent(let borrowed):
                leases[borrower] = borrowed
                outcome = "lent"
            case .rejected(let rejection): outcome = rejection.rawValue
            }
            _ = records.take()
        }
        return [
            ("op", "lend"), ("as", .string(lender)), ("to", .string(borrower)), ("player", player(lender)),
            ("outcome", .string(outcome)),
        ]
    }

    private func play(_ name: String) -> [(String, JSONValue)] {
        var outcome = ScriptedPool.unbound
        if let lease = leases[name] {
            outcome = pool.check(lease)?.rawValue ?? "playing"
            if outcome == "playing" { lease.player.start() }
        }
        return [("op", "play"), ("as", .string(name)), ("player", player(name)), ("outcome", .string(outcome))]
    }

    private func announce(_ items: [UpcomingItem]) -> [(String, JSONValue)] {
        let plan = pool.announce(upcoming: items)
        for preparation in plan.preparations { pool.reached(preparation.stage, preparation.handle) }
        let prepare = plan.preparations.map { preparation -> JSONValue in
            [
                "id": .string(preparation.uniqueID), "stage": .string(preparation.stage.name),
                "player": .int(preparation.player.playerID),
            ]
        }
        return [
            ("op", "upcoming"), ("prepare", .array(prepare)), ("evicted", numbers(records.take()?.evicted)),
        ]
    }

    // MARK: Values

    private func player(_ name: String) -> JSONValue { JSONValue(leases[name]?.player.playerID) }

    private func numbers(_ players: [Int64]?) -> JSONValue { .array((players ?? []).map { .int($0) }) }

    private var counts: JSONValue {
        let counts = pool.counts
        return [
            "created": .int(counts.created), "idle": .int(counts.idle), "active": .int(counts.active),
            "unbound": .int(counts.unbound), "destroyed": .int(counts.destroyed),
        ]
    }
}
