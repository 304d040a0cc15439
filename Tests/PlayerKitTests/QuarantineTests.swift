// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlayerKit
import PluginHost
import TestSupport
import Testing

@Suite("A plugin that failed in an earlier run")
struct QuarantineTests {
    private static let id = "com.example.thrower"

    /// The built-ins and the plugin stay mapped, so their directories stay as long as the process.
    private static let builtins = Result {
        try StagedBuiltins("default", "first-frame", "stutter-detect", "traffic-protection")
    }
    private static let folder = Result { try TemporaryDirectory() }
    private static let plugin = Result {
        let text = """
            #include <kitshell/kit.h>
            #include <string.h>
            KIT_PLUGIN_NOTE(KIT_KIND_MONITOR | KIT_KIND_LIFECYCLE, 0, 0, 0, "\(Self.id)", "1.0.0", "Thrower", "Example");
            static kit_result create(const kit_host_v1 *, const kit_create_v1 *, void **) { return KIT_OK; }
            static void destroy(void *) {}
            static kit_result on_events(void *, const kit_event_batch_v1 *, const kit_report_sink_v1 *) { throw 1; }
            static kit_result decide(void *, const kit_pool_request_v1 *, kit_pool_decision_v1 *) { throw 2; }
            static const kit_monitor_v1 monitor = {sizeof monitor, 0, {0, 0}, on_events};
            static const kit_lifecycle_v1 lifecycle = {sizeof lifecycle, 0, decide};
            static const void *get_interface(const char *id) {
              return strcmp(id, KIT_MONITOR_ID) ? (const void *)&lifecycle : &monitor;
            }
            static const kit_plugin_v1 plugin = {sizeof plugin, KIT_ABI_MINOR, create, destroy, get_interface};
            extern "C" KIT_EXPORT kit_result kit_plugin_entry_v1(const kit_host_v1 *, const kit_plugin_v1 **out) {
              *out = &plugin;
              return KIT_OK;
            }
            """
        return try CommandLineTool.compile(text, to: "thrower.so", in: folder.get(), compiler: "c++")
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The product as a new process finds it.
    private func installation() throws -> Installation {
        try Installation(
            pluginDirectory: QuarantineTests.builtins.get().path, stateDirectory: directory.file("state"),
            log: LogHub(console: { _ in }))
    }

    private func selection(isExplicit: Bool = false) throws -> StrategySelection {
        var selection = StrategySelection()
        selection.plugins = [.init(name: "thrower", path: try QuarantineTests.plugin.get(), isExplicit: isExplicit)]
        selection.isolation = .inProcess
        return selection
    }

    private func play(_ selection: StrategySelection) throws -> StrategyStatus? {
        var settings = PlaySettings(models: [PlayerModel(videoSource: .url(Media.short))])
        settings.strategies = selection
        settings.isVirtualTime = true
        let report = try installation().makePlayRun(settings).run().report
        // Everything else goes on.
        #expect(report.sessions.first?.record.frames.presented == 50)
        #expect(report.strategies.filter { $0.origin == "built-in" }.allSatisfy { $0.health == .running })
        return report.strategies.first { $0.name == "thrower" && $0.kinds == ["monitor"] }
    }

    @Test("does not run in the next, is in its report, and runs again once it is allowed to")
    func isLeftOut() throws {
        let first = try #require(try play(try selection()))
        #expect(first.health == .quarantined)
        #expect(first.calls > 0)
        #expect(first.faults.map(\.kind) == [.exception])

        let second = try #require(try play(try selection()))
        #expect(second.health == .quarantined)
        #expect(second.calls == 0)
        #expect(second.faults.map(\.kind) == [.exception])
        #expect(second.faults.first?.detail.contains("kitshell plugin retry \(Self.id)") == true)
        #expect(second.faults.first?.report != nil)

        #expect(try PluginQuarantine.lift(Self.id, in: directory.file("state")).map(\.version) == ["1.0.0"])
        #expect(try #require(try play(try selection())).calls > 0)
    }

    @Test("runs if it is named explicitly, and is not quarantined for it")
    func explicit() throws {
        #expect(try #require(try play(try selection(isExplicit: true))).calls > 0)
        #expect(PluginQuarantine.all(in: directory.file("state")).isEmpty)
        _ = try play(try selection())
        #expect(PluginQuarantine.all(in: directory.file("state")).count == 1)
        #expect(try #require(try play(try selection(isExplicit: true))).calls > 0)
    }

    @Test("leaves the decisions to the default if it was a lifecycle strategy")
    func lifecycle() throws {
        _ = try play(try selection())
        let run = try installation()
        let plan = try StrategyPlan(try selection(), catalog: run.catalog, defaultMonitors: [])
        #expect(plan.lifecycle == nil)
        #expect(plan.monitors.isEmpty)
        #expect(plan.refused.map(\.health) == [.quarantined, .quarantined])
    }

    @Test("is an error for who adds it to an application")
    func embedded() throws {
        _ = try play(try selection())
        let plan = try StrategyPlan(try selection(), catalog: try installation().catalog, defaultMonitors: [])
        #expect(plan.refusals.first?.message.contains("thrower is quarantined since") == true)
    }

    @Test("is not remembered where there is no state directory")
    func forgets() throws {
        for _ in 0..<2 {
            let installation = try Installation(
                pluginDirectory: QuarantineTests.builtins.get().path, log: LogHub(console: { _ in }))
            var settings = PlaySettings(models: [PlayerModel(videoSource: .url(Media.short))])
            settings.strategies = try selection()
            settings.isVirtualTime = true
            let row = try installation.makePlayRun(settings).run().report.strategies.first { $0.name == "thrower" }
            #expect(row?.calls ?? 0 > 0)
            #expect(row?.faults.first?.report == nil)
        }
    }
}
