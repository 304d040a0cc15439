// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import Synchronization
import TestSupport

/// A plugin that runs again and again with a state directory, as in one process after the other.
final class HealthFixture: Sendable {
    static let id = "com.example.fixture"

    static var event: PlayerEvent {
        PlayerEvent(.playIntent, session: SessionID(rawValue: 1), time: EventTime(microseconds: 0))
    }

    let directory: TemporaryDirectory
    let state: String
    private let lines = LineCollector()
    private let clock = Mutex<Int64>(1_800_000_000)

    /// - Parameters:
    ///   - defines: as `WorkerFixture` has them.
    ///   - state: the state directory; nil: one in the fixture's own that does not exist yet.
    init(_ defines: [String] = ["AT_EVENTS=fputs(\"good bye\\n\", stderr); crash()"], state: String? = nil) throws {
        directory = try TemporaryDirectory()
        self.state = state ?? directory.file("home/of/state")
        _ = try WorkerFixture.plugin(defines, in: directory)
    }

    var plugin: String { directory.file("fixture.so") }
    /// What was logged of the state directory.
    var log: [String] { lines.lines }

    func advance(seconds: Int64) { clock.withLock { $0 += seconds } }

    /// What a new process would make.
    var store: HealthStore {
        HealthStore(path: state, hostVersion: "0.0.0", log: LogHub(console: { [lines] in lines.add($0) })) {
            WallTime(seconds: self.clock.withLock { $0 })
        }
    }

    /// The plugin as a new process finds it.
    func hosted(
        grants: PluginGrants = PluginGrants(), isRemembered: Bool = true, in store: HealthStore? = nil
    ) throws -> HostedPlugin {
        let catalog = PluginCatalog(builtinDirectory: directory.path, health: store ?? self.store) {
            inspection, _, _, grants, health in
            WorkerPlace(
                try PluginFile(inspection, origin: .stranger), grants: grants, health: health,
                executable: try WorkerFixture.executable.get(), deadlines: WorkerFixture.patientDeadlines,
                restarts: WorkerFixture.once
            ) { _, _ in }
        }
        let file = try catalog.stranger(
            path: plugin, runs: .worker, allowsInsecurePath: false, isRemembered: isRemembered)
        return try catalog.granting(grants, to: file)
    }

    /// Runs it with one event to its end, in a process of its own as far as health is concerned.
    @discardableResult
    func run(
        options: [PluginOption] = [], grants: PluginGrants = PluginGrants(), isRemembered: Bool = true
    ) throws -> StrategyStatus {
        let store = store
        let plugin = try hosted(grants: grants, isRemembered: isRemembered, in: store)
        let strategy = PluginMonitorStrategy(plugin: plugin, name: "counter", options: options, isLossless: false)
        try strategy.startReplaying(controller: ControllerID(rawValue: 1))
        strategy.receive([HealthFixture.event], reports: ReportSink(instance: "counter") { _, _ in })
        _ = strategy.finish(withinMilliseconds: WorkerFixture.patience)
        strategy.strategyDidStop()
        _ = plugin.waitUntilEnded(withinMilliseconds: WorkerFixture.patience)
        _ = store.waitUntilWritten(withinMilliseconds: WorkerFixture.patience)
        return strategy.status
    }

    /// Why a new process would not run it.
    func quarantine(
        options: [PluginOption] = [], grants: PluginGrants = PluginGrants(), isRemembered: Bool = true
    ) throws -> StoredQuarantine? {
        try hosted(grants: grants, isRemembered: isRemembered).health?.quarantine(of: options)
    }

    /// The names in a folder of the state directory, hidden ones too.
    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(state)/\(folder)")) ?? []).sorted()
    }

    /// The faults' files, oldest first.
    func faults() throws -> [JSONValue] {
        try names(in: "faults").map { name in
            try JSONReader().read(try String(contentsOfFile: "\(state)/faults/\(name)", encoding: .utf8))
        }
    }
}
