// SPDX-License-Identifier: Apache-2.0

import PlayerKit
import PluginHost
import TestSupport
import Testing

@Suite("A selection of strategies is resolved before anything runs")
struct StrategyPlanTests {
    private let builtins: StagedBuiltins
    private let installation: Installation

    init() throws {
        builtins = try StagedBuiltins("default", "first-frame", "reuse-pool")
        installation = try Installation(pluginDirectory: builtins.path)
    }

    private func plan(_ change: (inout StrategySelection) -> Void) throws -> StrategyPlan {
        var selection = StrategySelection()
        change(&selection)
        return try StrategyPlan(selection, catalog: installation.catalog, defaultMonitors: ["first-frame"])
    }

    @Test("nothing chosen: the default monitors and the host's own lifecycle decisions")
    func defaults() throws {
        let plan = try plan { _ in }
        #expect(plan.monitors.map(\.name) == ["first-frame"])
        #expect(plan.lifecycle == nil)
        #expect(plan.refused.isEmpty)
    }

    @Test("a list of monitors replaces the default one, an empty list runs none")
    func noMonitors() throws {
        #expect(try plan { $0.monitors = [] }.monitors.isEmpty)
    }

    @Test("a built-in lifecycle strategy is found by name, with the defaults of its options")
    func lifecycle() throws {
        let choice = try #require(try plan { $0.lifecycle = "reuse-pool" }.lifecycle)
        #expect(choice.file.isBuiltin)
        #expect(choice.options.contains { $0.key == "max_pool_size" })
    }

    @Test("'default' is a built-in like the others once it is named")
    func defaultLifecycle() throws {
        #expect(try plan { $0.lifecycle = "default" }.lifecycle?.file.isBuiltin == true)
    }

    @Test("an option is checked against the plugin's table and reaches the instance typed")
    func option() throws {
        let plan = try plan {
            $0.lifecycle = "reuse-pool"
            $0.settings = [.init(strategy: "reuse-pool", key: "max_pool_size", text: "7")]
        }
        #expect(plan.lifecycle?.options.contains(PluginOption("max_pool_size", .int(7))) == true)
    }

    @Test(
        "a size that nobody has chosen stays within a hard_max that somebody has",
        arguments: [
            (nil, ["hard_max": "2"], 2), (5, ["hard_max": "4"], 4), (5, ["hard_max": "9"], 5),
            (5, ["hard_max": "0"], 5),
            (5, ["hard_max": "4", "max_pool_size": "6"], 6),
        ] as [(Int64?, [String: String], Int64)])
    func hardMax(wanted: Int64?, set: [String: String], size: Int64) throws {
        let plan = try plan {
            $0.lifecycle = "reuse-pool"
            $0.poolSize = wanted
            $0.settings = set.map { .init(strategy: "reuse-pool", key: $0.key, text: $0.value) }
        }
        #expect(
            plan.lifecycle?.options.first { $0.key == "max_pool_size" } == PluginOption("max_pool_size", .int(size)))
    }

    struct Wrong: CustomTestStringConvertible, Sendable {
        var what: String
        var unknown: String?
        /// In the message.
        var says = ""
        var change: @Sendable (inout StrategySelection) -> Void
        var testDescription: String { what }
    }

    private static let wrong: [Wrong] = [
        Wrong(what: "an unknown monitor", unknown: "first-fram") { $0.monitors = ["first-fram"] },
        Wrong(what: "an unknown lifecycle strategy", unknown: "reuse-pol") { $0.lifecycle = "reuse-pol" },
        Wrong(what: "a monitor as lifecycle strategy", unknown: "first-frame") { $0.lifecycle = "first-frame" },
        Wrong(what: "a path as a name", unknown: "../first-frame") { $0.monitors = ["../first-frame"] },
        Wrong(what: "an option of a strategy that does not run", unknown: "reuse-pool") {
            $0.settings = [.init(strategy: "reuse-pool", key: "max_pool_size", text: "2")]
        },
        Wrong(what: "a grant to what asks for none", unknown: nil) {
            $0.grants = [.init(strategy: "first-frame", capability: "actions")]
        },
        Wrong(what: "a grant to what does not run", unknown: "first-fram") {
            $0.grants = [.init(strategy: "first-fram", capability: "actions")]
        },
        Wrong(what: "an unknown capability", unknown: "action") {
            $0.grants = [.init(strategy: "first-frame", capability: "action")]
        },
        Wrong(what: "a grant of paths without one", unknown: nil, says: "needs a path") {
            $0.grants = [.init(strategy: "first-frame", capability: "read_paths")]
        },
        Wrong(what: "a grant with a value it does not have", unknown: nil, says: "without a value") {
            $0.grants = [.init(strategy: "first-frame", capability: "network=all")]
        },
        Wrong(what: "everything to what has it", unknown: nil, says: "has every right") {
            $0.grants = [.init(strategy: "first-frame", capability: "all")]
        },
        Wrong(what: "actions to a lifecycle strategy", unknown: nil, says: "no monitoring strategy") {
            $0.lifecycle = "reuse-pool"
            $0.grants = [.init(strategy: "reuse-pool", capability: "actions")]
        },
        Wrong(what: "an unknown option", unknown: "max_pool_sice") {
            $0.lifecycle = "reuse-pool"
            $0.settings = [.init(strategy: "reuse-pool", key: "max_pool_sice", text: "2")]
        },
        Wrong(what: "a value that is no number", unknown: nil) {
            $0.lifecycle = "reuse-pool"
            $0.settings = [.init(strategy: "reuse-pool", key: "max_pool_size", text: "many")]
        },
    ]

    @Test("what cannot be met is an error that names it and what would be valid", arguments: wrong)
    func unmet(wrong: Wrong) throws {
        let error = try #require(throws: SelectionError.self) { _ = try plan(wrong.change) }
        #expect(error.unknown == wrong.unknown)
        #expect(!error.message.isEmpty && !error.hint.isEmpty)
        #expect(wrong.says.isEmpty || error.message.contains(wrong.says), "\(error)")
    }

    @Test("a refused plugin is a row of the report, and the rest goes on")
    func refused() throws {
        let plan = try plan {
            $0.plugins = [.init(name: "mine", path: "/nonexistent/libmine.so")]
            $0.lifecycle = "mine"
            $0.settings = [.init(strategy: "mine", key: "key", text: "1")]
        }
        #expect(plan.monitors.map(\.name) == ["first-frame"])
        #expect(plan.lifecycle == nil)
        let row = try #require(plan.refused.first)
        #expect(row.name == "mine" && row.health == .refused)
        #expect(row.faults.first?.detail.contains("[not_found]") == true)
    }

    @Test("an installation without built-ins says where it looked")
    func noBuiltins() throws {
        let empty = try TemporaryDirectory()
        let layout = InstallLayout(executableDirectory: empty.path)
        let error = try #require(throws: PlayerError.self) { _ = try Installation(layout: layout) }
        #expect(error.code == .notFound)
        #expect(error.message.contains("\(empty.path)/builtin"))
    }
}
