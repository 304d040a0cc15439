// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import PluginSupport
import Sessions
import TestSupport
import Testing

/// The built-in lifecycle strategies.
enum BuiltIn: String, CaseIterable, Sendable {
    case `default`
    case reusePool = "reuse-pool"
    case idScopedPool = "id-scoped-pool"
    case singleton

    var hasSize: Bool { self == .reusePool || self == .idScopedPool }
}

/// A built-in strategy as its Swift code and as its shared library: the contract is the same.
struct Subject: Sendable, CustomTestStringConvertible {
    enum Form: String, CaseIterable, Sendable {
        case swift
        case library
    }

    let builtIn: BuiltIn
    let form: Form

    static func all(_ builtIns: BuiltIn...) -> [Subject] {
        builtIns.flatMap { builtIn in Form.allCases.map { Subject(builtIn: builtIn, form: $0) } }
    }

    static let all = BuiltIn.allCases.flatMap { all($0) }

    var testDescription: String { "\(builtIn.rawValue), \(form.rawValue)" }

    // The built-ins stay mapped, so their directory stays as long as the process.
    private static let builtins = Result {
        try StagedBuiltins("default", "reuse-pool", "id-scoped-pool", "singleton")
    }
    private static let catalog = Result {
        PluginCatalog(
            builtinDirectory: try builtins.get().path,
            makePlace: PluginPlaces.maker(log: LogHub(console: { _ in })))
    }

    /// - Parameters:
    ///   - max: of a strategy that has a size.
    ///   - options: further ones, as a user writes them.
    func policy(max: Int64 = 3, _ options: [String: String] = [:]) throws -> any LifecyclePolicy {
        let size = builtIn.hasSize ? max : nil
        switch form {
        case .swift:
            return try SwiftPolicy(
                builtIn, maxPoolSize: size,
                options: options.map { ($0.key, Int64($0.value).map { .int($0) } ?? .string($0.value)) })
        case .library:
            let plugin = try #require(try Subject.catalog.get().builtin(builtIn.rawValue))
            let settings = size.map { [OptionSetting(key: "max_pool_size", text: "\($0)")] } ?? []
            return try PluginLifecyclePolicy(
                plugin: plugin, name: builtIn.rawValue,
                options: try plugin.options.values(
                    for: settings + options.map { OptionSetting(key: $0.key, text: $0.value) }))
        }
    }

    func stage(
        max: Int64 = 3, hardMax: Int64? = nil, _ options: [String: String] = [:],
        script: FakePlayerScript = FakePlayerScript()
    ) throws -> PoolStage {
        PoolStage(try policy(max: max, options), hardMax: hardMax, script: script)
    }
}

/// A pool of fake players under a strategy, and what its holders hear.
struct PoolStage {
    let pool: PlayerPool
    let factory: FakePlayerFactory
    let clock = FakeClock()
    let journal = Journal()

    init(
        _ policy: (any LifecyclePolicy)?, hardMax: Int64? = nil, idleTimeout: Duration? = nil,
        script: FakePlayerScript = FakePlayerScript(), log: LogHub = LogHub(console: { _ in })
    ) {
        factory = FakePlayerFactory(script: script)
        pool = PlayerPool(
            policy: policy, clock: clock, hardMax: hardMax, idleTimeout: idleTimeout, log: log)
        pool.setup(factory: factory)
    }

    /// Acquires; what happens to the lease is noted under its id.
    func acquire(_ id: String) throws -> PlayerLease {
        try acquire(id, revision: nil)
    }

    func acquire(_ id: String, revision: UInt64?) throws -> PlayerLease {
        try pool.acquirePlayer(uniqueID: id, sourceKind: .url, sourceRevision: revision) { [journal] in
            journal.note("\(id) \($0)")
        }
    }

    func lend(_ lease: PlayerLease, to name: String) -> LendOutcome {
        pool.lendPlayer(of: lease) { [journal] in journal.note("\(name) \($0)") }
    }

    /// What a rejection must leave as it is: the counts but for those of rejections, and the players.
    var unchanging: (PoolReport, [String]) {
        var counts = pool.counts
        counts.rejected = [:]
        return (counts, pool.players.map { "\($0)" })
    }

    /// The players that exist, by number.
    var alive: [Int64] { factory.players.filter { !$0.isDestroyed }.map(\.playerID) }

    /// Waits until exactly these players exist: several that are given up at once go on threads of their own.
    func leaves(_ numbers: Int64...) -> Bool {
        Patience.wait { alive == numbers }
    }

    /// Has a player play, from the beginning or from somewhere.
    func play(_ lease: PlayerLease, from milliseconds: Int64 = 0) throws {
        try prepare(lease.player)
        lease.player.seek(to: MediaTime(microseconds: milliseconds * 1000), mode: .exact)
        lease.player.start()
        try #require(lease.player.state == .playing)
    }

    /// Gives a player something to play.
    func prepare(_ player: any MediaPlayer) throws {
        try player.setDataSource(
            PlayerModel(videoSource: .url("/a")),
            output: EventOutput(
                controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: clock,
                queue: EventQueue()))
        player.prepare()
    }
}
