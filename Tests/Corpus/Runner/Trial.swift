// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import JSONText
import TestSupport

/// Tries fixtures with the real command, beside a good plugin, and says what came of it.
struct Trial: Sendable {
    /// What a run without plugins shows: the hashes of all pictures.
    private let pictures: Data
    private let goodPlugin: String

    private static let sources = [Media.short, Media.path("clip.mkv")]

    /// Plays without plugins.
    init(in directory: String) throws {
        goodPlugin = Kitshell.root.appending(path: "Examples/c-monitor/libcmonitor.so").path
        guard FileManager.default.fileExists(atPath: goodPlugin) else {
            throw CommandLineTool.Failure(description: "\(goodPlugin) is missing: run `make plugins`")
        }
        let hashes = "\(directory)/plain.md5"
        let report = try Report(
            Trial.start(Array(Trial.sources.prefix(1)), hashes: hashes, state: "\(directory)/plain.state").wait())
        guard report.status == 0, report.presented == [50] else {
            throw CommandLineTool.Failure(description: "a run without plugins fails: \(report.errors)")
        }
        pictures = try Data(contentsOf: URL(filePath: hashes))
    }

    /// What came of one fixture in one place: what happened to it, and what happened to others because of it, as in `fine`,
    /// `crash load SIGSEGV` or `lost SIGBUS`.
    func verdict(of fixture: Fixture, _ row: Row, in place: Place, directory: String) throws -> String {
        if place == .staticCheck { return try inspect(fixture.twin ?? fixture.plugin, row) }
        // A pool has something to decide when the second source comes; hashes are written of one alone.
        let count = row.recipe.kind == .pool ? 2 : 1
        let scratch = "\(directory)/\(place == .worker ? "worker" : "in-process")"
        let hashes = count == 1 ? "\(scratch).md5" : nil
        var arguments = Array(Trial.sources.prefix(count)) + plugins(fixture, row)
        arguments += ["--isolation", place == .worker ? "worker" : "in-process"]
        let process = try Trial.start(
            arguments, hashes: hashes, state: "\(scratch).state", executable: fixture.kitshell)
        var words: [String]
        do {
            let outcome = try process.wait()
            words = judge(outcome, fixture, of: count)
            if let hashes, !words[0].hasPrefix("lost"), pictures != FileManager.default.contents(atPath: hashes) {
                words.append("pictures changed")
            }
        } catch is CommandLineTool.Failure {
            words = ["lost hang"]
        }
        if Leftovers.end(of: process.id, directory: directory) { words.append("left behind") }
        return words.joined(separator: " + ")
    }

    /// - Parameter state: a directory of the run's own, so that nobody's is changed and no run knows of another.
    private static func start(
        _ arguments: [String], hashes: String?, state: String, executable: String? = nil
    ) throws -> ChildProcess {
        try ChildProcess(
            executable: try executable ?? Kitshell.executable.get(),
            arguments: ["play", "--speed", "max", "--report", "json", "--log-level", "error", "--state-dir", state]
                + (hashes.map { ["--frame-hashes", $0] } ?? []) + arguments)
    }

    private func plugins(_ fixture: Fixture, _ row: Row) -> [String] {
        // A copy has the same id, which shows where nobody gives it another name.
        let isNamed = row.recipe.company != .copy
        var arguments = ["--plugin", (isNamed ? "bad=" : "") + fixture.plugin]
        if let twin = fixture.twin { arguments += ["--plugin", (isNamed ? "twin=" : "") + twin] }
        if fixture.kitshell == nil { arguments += ["--plugin", "good=\(goodPlugin)"] }
        let grants = row.recipe.grants + (row.moment?.name == "thread" ? ["threads"] : [])
        return arguments + grants.flatMap { ["--grant", "bad:\($0)"] }
    }

    private func inspect(_ path: String, _ row: Row) throws -> String {
        let outcome = try Kitshell.start(["plugin", "inspect", path, "--report", "json"]).wait()
        guard let status = outcome.status else { return "lost \(Trial.name(of: outcome.signal ?? 0))" }
        let plugin = try Report(outcome).json["plugins"]?.array?.first
        if let code = plugin?["refusal"]?["code"]?.string {
            return "refused \(code)" + (status == 3 ? "" : " + exit \(status)")
        }
        let warnings = (plugin?["warnings"]?.array ?? []).compactMap { $0["code"]?.string }
        let wanted = row.expected[.staticCheck]?.verdicts.first ?? ""
        return warnings.map { "warned \($0)" }.first { $0 == wanted } ?? "accepted"
    }

    // MARK: What a report says

    private func judge(_ outcome: ChildProcess.Outcome, _ fixture: Fixture, of count: Int) -> [String] {
        if let signal = outcome.signal { return ["lost \(Trial.name(of: signal))"] }
        guard let report = try? Report(outcome) else { return ["lost exit \(outcome.status ?? -1)"] }
        let rows = (report.json["strategies"]?.array ?? []).filter {
            ["bad", "twin"].contains($0["name"]?.string)
                || [fixture.plugin, fixture.twin].contains($0["origin"]?.string)
        }
        let fate = Trial.fate(rows)
        var words = [fate]
        let isWhole = report.sessions.allSatisfy { $0["outcome"] == "complete" && $0["frames"]?["dropped_late"] == 0 }
        if report.presented != Array(repeating: 50, count: count) || !isWhole { words.append("playback changed") }
        if !isGoodUnharmed(report, isThere: fixture.kitshell == nil) { words.append("good hurt") }
        if report.status != (["fine", "cut"].contains(fate) ? 0 : 3) { words.append("exit \(report.status ?? -1)") }
        return words
    }

    /// What ended the plugin, else what went wrong first.
    private static func fate(_ rows: [JSONValue]) -> String {
        if rows.isEmpty { return "not reported" }
        let faults = rows.flatMap { $0["faults"]?.array ?? [] }
        // A denied call that the plugin got over is no end; what came after it may be.
        let fatal = faults.first { $0["kind"] != "denied" || $0["signal"]?.string != nil }
        guard let fault = fatal ?? faults.first else {
            if rows.contains(where: { $0["health"] != "running" }) { return "no reason given" }
            return rows.contains { ($0["reports_cut"]?.int ?? 0) > 0 } ? "cut" : "fine"
        }
        let (kind, during) = (fault["kind"]?.string ?? "", fault["during"]?.string ?? "")
        if kind == "refused", during == "inspect", let code = fault["detail"]?.string?.firstMatch(of: /\[([a-z_]+)\]/) {
            return "refused \(code.1)"
        }
        return [kind, during, fault["signal"]?.string].compactMap(\.self).joined(separator: " ")
    }

    /// Whether the good plugin and the built-in strategies ran as if nothing had happened, and said all they had to say.
    private func isGoodUnharmed(_ report: Report, isThere: Bool) -> Bool {
        let names = ["first-frame", "stutter-detect", "traffic-protection"] + (isThere ? ["good"] : [])
        let areHealthy = names.allSatisfy {
            report.strategy($0)?["health"] == "running" && report.faults(of: $0).isEmpty
        }
        let haveReported = report.sessions.allSatisfy { $0["first_frame"]?["total_ms"]?.number != nil }
        guard areHealthy, haveReported, isThere else { return areHealthy && haveReported }
        let row = report.strategy("good")
        let counts = report.sessions.map { $0["plugins"]?["good"]?["event_count"] }
        let counted = counts.reduce(0) { $0 + ($1?["events"]?.int ?? 0) }
        return counted > 0 && row?["events_delivered"]?.int == counted && row?["events_dropped"] == 0
            && counts.allSatisfy { $0?["dropped"] == 0 }
    }

    private static func name(of signal: Int32) -> String {
        let names: [Int32: String] = [
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGILL: "SIGILL", SIGKILL: "SIGKILL",
            SIGSEGV: "SIGSEGV", SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGPIPE: "SIGPIPE", SIGSYS: "SIGSYS",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
