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
    /// Those that keep what comes back.
    static let keepers = all(.reusePool, .idScopedPool, .singleton)
    static let sized = all(.reusePool, .idScopedPool)

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

    /// A pool of fake players under it. The bound and the time-out are options of libraries that have them, and told to the pool for others.
    func stage(
        max: Int64 = 3, hardMax: Int64? = nil, idleMilliseconds: Int64? = nil, _ options: [String: String] = [:],
        script: FakePlayerScript = FakePlayerScript(), log: LogHub = LogHub(console: { _ in })
    ) throws -> PoolStage {
        var options = options
        let hasBound = form == .library && builtIn.hasSize
        let hasTimeout = form == .library && builtIn != .default
        if hasBound { options["hard_max"] = hardMax.map { "\($0)" } }
        if hasTimeout { options["idle_timeout_ms"] = idleMilliseconds.map { "\($0)" } }
        return PoolStage(
            try policy(max: max, options), hardMax: hasBound ? nil : hardMax,
            idleTimeout: hasTimeout ? nil : idleMilliseconds.map { .milliseconds($0) }, script: script, log: log)
    }
}
