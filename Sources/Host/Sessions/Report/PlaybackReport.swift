// SPDX-License-Identifier: Apache-2.0

public import JSONText
public import MediaCore

/// Everything about one run: the document `kitshell.report/1`.
public struct PlaybackReport: Sendable {
    /// The versions that made it.
    public struct Host: Hashable, Sendable {
        public var version: String
        public var abi: String
        /// nil where no media library was loaded.
        public var libavformat: String?

        public init(version: String, abi: String, libavformat: String?) {
            self.version = version
            self.abi = abi
            self.libavformat = libavformat
        }
    }

    public static let schema = "kitshell.report/1"

    public var host: Host
    public var sessions: [SessionReport]
    public var strategies: [StrategyStatus]
    /// nil where there was no pool: a replay.
    public var pool: PoolReport?
    /// What was counted and not used.
    public var losses: Losses
    /// How sessions went over time, where that was asked for; not in the document.
    public var traces: [SessionID: SessionTrace] = [:]

    public init(
        host: Host, sessions: [SessionReport], strategies: [StrategyStatus], pool: PoolReport?,
        losses: Losses = Losses()
    ) {
        self.host = host
        self.sessions = sessions
        self.strategies = strategies
        self.pool = pool
        self.losses = losses
    }

    public var json: JSONValue {
        [
            "schema": .string(PlaybackReport.schema),
            "host": [
                "version": .string(host.version), "abi": .string(host.abi), "libavformat": JSONValue(host.libavformat),
            ],
            "sessions": SessionReport.json(sessions),
            "first_frames": FirstFrames(sessions.map(\.record)).json,
            "strategies": .array(strategies.map(JSONValue.init)),
            "pool": pool.map(JSONValue.init) ?? .null,
            "losses": losses.json,
        ]
    }
}

extension StrategyStatus.Fault {
    /// As the report shows it.
    public var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "during": .string(during), "signal": JSONValue(signal),
            "address": JSONValue(address), "symbol": JSONValue(symbol), "detail": .string(detail),
            "report": JSONValue(report),
        ]
    }
}

extension JSONValue {
    fileprivate init(_ status: StrategyStatus) {
        self = [
            "name": .string(status.name),
            "id": JSONValue(status.id),
            "kinds": .array(status.kinds.map { .string($0) }),
            "version": JSONValue(status.version),
            "origin": .string(status.origin),
            "runs": JSONValue(status.runs?.rawValue),
            "sandbox": JSONValue(status.sandbox),
            "sandbox_gap": JSONValue(status.sandboxGap),
            "health": .string(status.health.rawValue),
            "faults": .array(status.faults.map(\.json)),
            "calls": .int(Int64(clamping: status.calls)),
            "events_delivered": .int(Int64(clamping: status.eventsDelivered)),
            "events_dropped": .int(Int64(clamping: status.eventsDropped)),
            "defaults_used": .int(Int64(clamping: status.defaultsUsed)),
            "reports_cut": .int(Int64(clamping: status.reportsCut)),
        ]
    }
}
