// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import Synchronization
import TestSupport

/// A plugin or a stub worker built for one test, and what came out of it.
final class WorkerFixture: Sendable {
    /// The shared limit of every wait, milliseconds; reaching it is a failure.
    static let patience = 30_000

    let directory: TemporaryDirectory
    let place: WorkerPlace
    let file: PluginFile
    private let executable: String
    private let deadlines: CallDeadlines
    private let restarts: RestartPolicy
    private let reports = Mutex<[ReportEntry]>([])

    /// What runs instead of kit-worker.
    enum Stub: ExpressibleByArrayLiteral {
        /// stub-worker.c, with what it does: `BEHAVE=…`.
        case program([String])
        /// kit-worker, on a kernel that has not this system call.
        case kernelWithout(String)

        init(arrayLiteral defines: String...) {
            self = .program(defines)
        }
    }

    /// - Parameters:
    ///   - defines: what the plugin does, as `AT_EVENTS=crash()`.
    ///   - link: more arguments of the compiler.
    ///   - prepare: is given the directory of the plugin before that is built.
    ///   - damage: is given the path of the plugin before that is inspected.
    ///   - hear: is given each line of the log, on the thread that logs.
    init(
        _ defines: [String] = [], stub: Stub? = nil, grants: PluginGrants = PluginGrants(),
        deadlines: CallDeadlines = WorkerFixture.patientDeadlines, restarts: RestartPolicy = WorkerFixture.once,
        link: [String] = [], prepare: (TemporaryDirectory) throws -> Void = { _ in },
        damage: (String) throws -> Void = { _ in }, hear: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        try prepare(directory)
        let path = try WorkerFixture.plugin(defines, link: link, in: directory)
        try damage(path)
        file = try PluginFile(PluginInspector.inspect(path: path), origin: .stranger)
        self.deadlines = deadlines
        self.restarts = restarts
        switch stub {
        case .program(let defines): executable = try WorkerFixture.stub(defines, in: directory)
        case .kernelWithout(let call):
            executable = try CommandLineTool.compile(
                try WorkerFixture.source("lesser-kernel.c"), to: "lesser-kernel", in: directory,
                arguments: ["-D_GNU_SOURCE", "-DMISSING=\(call)", "-DWORKER=\"\(try WorkerFixture.executable.get())\""])
        case nil: executable = try WorkerFixture.executable.get()
        }
        let lines = LineCollector()
        collector = lines
        // The directory is there as long as anything may load from it.
        place = WorkerPlace(file, grants: grants, executable: executable, deadlines: deadlines, restarts: restarts) {
            [directory] _, text in
            withExtendedLifetime(directory) {
                lines.add(text)
                hear(text)
            }
        }
    }

    private let collector: LineCollector

    /// The same with another file, which lies in the same directory.
    func again(with path: String) throws -> WorkerFixture {
        try WorkerFixture(copying: self, path: path)
    }

    private init(copying other: WorkerFixture, path: String) throws {
        directory = other.directory
        collector = LineCollector()
        file = try PluginFile(PluginInspector.inspect(path: path), origin: .stranger)
        let order = (other.executable, other.deadlines, other.restarts, collector)
        executable = order.0
        deadlines = order.1
        restarts = order.2
        place = WorkerPlace(file, executable: order.0, deadlines: order.1, restarts: order.2) { [directory] _, text in
            withExtendedLifetime(directory) { order.3.add(text) }
        }
    }

    /// A worker that fails is not started again.
    static let once = RestartPolicy(limit: 1)

    /// Deadlines that no machine is too slow for.
    static var patientDeadlines: CallDeadlines {
        var deadlines = CallDeadlines()
        deadlines.load = patience
        deadlines.create = patience
        deadlines.onEvents = patience
        deadlines.decide = patience
        deadlines.destroy = patience
        deadlines.heartbeat = patience
        return deadlines
    }

    var log: [String] { collector.lines }

    func monitor(_ name: String = "counter", options: [PluginOption] = []) throws -> any MonitorInstance {
        try place.makeMonitor(name: name, options: options, controller: ControllerID(rawValue: 1), actions: .nothing)
    }

    /// Hands over events of session 1 as one delivery.
    func deliver(_ count: Int, to monitor: any MonitorInstance, type: EventType = .playIntent, text: String = "") {
        let events = (0..<count).map { index in
            PlayerEvent(
                type, session: SessionID(rawValue: 1), time: EventTime(microseconds: Int64(index)), text: text)
        }
        monitor.deliver(events, reports: sink)
    }

    var sink: ReportSink {
        ReportSink(instance: "counter") { [self] entry, _ in reports.withLock { $0.append(entry) } }
    }

    /// The fields of the last report by key.
    var count: [String: ReportEntry.Value] {
        let fields = reports.withLock { $0.last?.fields ?? [] }
        return Dictionary(fields.map { ($0.key, $0.value) }) { _, last in last }
    }

    /// Waits on a condition with the shared limit.
    static func wait(until condition: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .milliseconds(patience)
        while !condition() {
            if ContinuousClock.now > end { return false }
            usleep(500)
        }
        return true
    }
}

extension WorkerFixture {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures").path
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources").path
    static let wireHeaders = "\(sources)/Host/WorkerWire/include"

    static func source(_ name: String) throws -> String {
        try String(contentsOfFile: "\(fixtures)/\(name)", encoding: .utf8)
    }

    /// kit-worker as an installation builds it: with cc alone. One for all tests.
    static let executable = Result<String, any Error> {
        let directory = try TemporaryDirectory()
        installed.withLock { $0 = directory }
        atexit { WorkerFixture.installed.withLock { $0 = nil } }
        let result = directory.file("kit-worker")
        let outcome = try CommandLineTool("cc").run(
            workerSources + workerFlags + ["-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", result]
                + workerLibraries)
        guard outcome.status == 0 else {
            throw CocoaError(.executableNotLoadable, userInfo: [NSDebugDescriptionErrorKey: outcome.output])
        }
        return result
    }

    static let workerFlags = [
        "-std=c11", "-D_GNU_SOURCE", "-I", CommandLineTool.pluginHeaders, "-I", wireHeaders, "-I",
        "\(sources)/Host/Worker",
    ]
    static let workerSources = [
        "call", "crash", "denial", "instances", "landlock", "library", "lifecycle", "main", "message", "monitor",
        "rules",
        "sandbox", "services",
    ].map { "\(sources)/Host/Worker/\($0).c" }
    static let workerLibraries = ["-lseccomp"]

    private static let installed = Mutex<TemporaryDirectory?>(nil)

    static func plugin(
        _ defines: [String], link: [String] = [], in directory: TemporaryDirectory
    ) throws -> String {
        try CommandLineTool.compile(
            try source("plugin.c"), to: "fixture.so", in: directory,
            arguments: [
                "-shared", "-fPIC", "-fvisibility=hidden", "-pthread", "-w", "-D_GNU_SOURCE", "-I", fixtures, "-I",
                wireHeaders,
            ]
                + defines.map { "-D\($0)" } + ["-L", directory.path] + link)
    }

    /// hostile-worker.c, built.
    static func hostile(in directory: TemporaryDirectory) throws -> String {
        try CommandLineTool.compile(
            try source("hostile-worker.c"), to: "hostile-worker", in: directory,
            arguments: ["-I", wireHeaders, "-I", fixtures, "-D_GNU_SOURCE", "-O1", "-w", "-pthread"])
    }

    private static func stub(_ defines: [String], in directory: TemporaryDirectory) throws -> String {
        try CommandLineTool.compile(
            try source("stub-worker.c"), to: "stub-worker", in: directory,
            arguments: ["-I", wireHeaders, "-D_GNU_SOURCE", "-w"] + defines.map { "-D\($0)" })
    }
}

extension PluginGrants {
    /// No sandbox.
    static var everything: PluginGrants {
        var grants = PluginGrants()
        grants.isOpen = true
        return grants
    }
}

/// Log lines, from any thread.
final class LineCollector: Sendable {
    private let all = Mutex<[String]>([])

    var lines: [String] { all.withLock { $0 } }

    func add(_ line: String) {
        all.withLock { $0.append(line) }
    }
}
