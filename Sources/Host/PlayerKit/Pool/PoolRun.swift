// SPDX-License-Identifier: Apache-2.0

public import JSONText
internal import MediaCore
internal import PlayerRuntime
internal import PluginHost
public import Sessions

/// Runs a pool script, or the pool operations of an event log, against a lifecycle strategy. No media is involved.
///
/// Thread: `run` once, on the caller's thread, which it blocks.
public final class PoolRun: Sendable {
    /// What came of it.
    public struct Outcome: Sendable {
        /// How the strategy fared, and why plugins that were named are not used.
        public var strategies: [StrategyStatus]
        /// Why reading ended before the end; nil if it did not.
        public var failure: InputFailure?
    }

    private let plan: StrategyPlan
    private let log: LogHub

    /// Resolves the strategy. No byte of a plugin has run when this returns.
    ///
    /// - Throws: `SelectionError` if the strategy cannot be had as selected.
    init(
        _ selection: StrategySelection, configuration: Configuration, catalog: PluginCatalog, log: LogHub
    ) throws(SelectionError) {
        self.log = log
        var configuration = configuration
        configuration.monitors = []
        plan = try StrategyPlan(selection, configuration: configuration, catalog: catalog, defaultMonitors: [])
        if let monitor = plan.monitors.first {
            throw SelectionError(
                "plugin \(monitor.name) brings no lifecycle strategy",
                hint: "A pool has no monitoring strategies: leave it out.")
        }
    }

    /// Runs what an open descriptor holds, which the caller closes. A script is read to its end before anything of it is done.
    ///
    /// - Parameter answer: gets one JSON object for each command; false ends the run.
    public func run(descriptor: Int32, answer: (JSONValue) -> Bool) -> Outcome {
        var lines = LineReader(
            descriptor: descriptor, longestLine: EventLog.longestLine, hint: "Give a pool script or an event log.")
        plan.loadBuiltIns()
        let lifecycle = plan.makePolicy(log: log)
        let pool = ScriptedPool(policy: lifecycle.policy, log: log)
        var failure: InputFailure?
        do throws(InputFailure) {
            if let first = try lines.next() {
                if PoolRun.isLog(first) {
                    try replay(&lines, on: pool, answer)
                } else {
                    for command in try PoolRun.script(first, &lines) where !answer(pool.perform(command)) { break }
                }
            }
        } catch {
            failure = error
        }
        lifecycle.policy?.destroy()
        plan.waitUntilEnded(log: log)
        let decider = lifecycle.failed ?? (lifecycle.policy == nil ? nil : pool.pool.status)
        return Outcome(strategies: plan.inOrder([decider].compactMap { $0 }), failure: failure)
    }

    // MARK: Scripts

    private static func script(
        _ first: String, _ lines: inout LineReader
    ) throws(InputFailure) -> [PoolCommand] {
        var commands: [PoolCommand] = []
        var line: String? = first
        while let text = line {
            do throws(PoolCommand.Malformed) {
                if let command = try PoolCommand(line: text) { commands.append(command) }
            } catch {
                throw InputFailure(
                    line: lines.number, message: error.message, hint: error.hint, unknown: error.unknown,
                    valid: PoolCommand.forms.map(\.word))
            }
            line = try lines.next()
        }
        return commands
    }

    // MARK: Event logs

    private static func isLog(_ line: String) -> Bool {
        (try? JSONReader(maximumDepth: 8).read(line))?["schema"]?.string == EventLog.schema
    }

    private func replay(
        _ lines: inout LineReader, on pool: ScriptedPool, _ answer: (JSONValue) -> Bool
    ) throws(InputFailure) {
        var recorded = PoolReport(strategy: "")
        var count: Int64 = 0
        while let line = try lines.next() {
            let record: PoolRecord?
            do throws(PoolRecord.Malformed) {
                record = try PoolRecord(line: line)
            } catch {
                throw InputFailure(
                    line: lines.number, message: error.message, hint: "Give a log that was written with --record.")
            }
            guard let record else { continue }
            recorded.count(record)
            count += 1
            if plan.isPoolSizeSet, case .resize = record.operation { continue }
            if let done = pool.perform(record), !answer(done) { return }
        }
        guard count > 0 else {
            throw InputFailure(
                line: lines.number, message: "this event log holds no operation of a pool",
                hint: "Give one that kitshell play --record wrote with a lifecycle strategy.")
        }
        _ = answer(PoolRun.summary(count, pool.pool.counts, recorded))
    }

    private static func summary(_ count: Int64, _ done: PoolReport, _ recorded: PoolReport) -> JSONValue {
        func figures(_ report: PoolReport) -> JSONValue {
            [
                "created": .int(report.created), "reused": .int(report.reused), "hits": .int(report.hits),
                "evicted": .int(report.evicted),
            ]
        }
        return [
            "schema": .string(ScriptedPool.schema), "op": "summary", "strategy": .string(done.strategy),
            "operations": .int(count), "decided": figures(done), "recorded": figures(recorded),
        ]
    }
}

extension PoolReport {
    /// Counts what an operation did when it was recorded.
    fileprivate mutating func count(_ record: PoolRecord) {
        created += record.created
        if case .clear = record.operation {} else { evicted += Int64(record.evicted.count) }
        switch record.outcome {
        case "hit": hits += 1
        case "reused": reused += 1
        default: break
        }
    }
}
