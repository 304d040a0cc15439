// SPDX-License-Identifier: Apache-2.0

public import JSONText
internal import MediaCore
public import Sessions

/// What came of a feed under one strategy.
public struct FeedReport: Sendable {
    /// What a document of feeds calls itself.
    public static let schema = "kitshell.feed/1"

    /// The sessions of the items and what else a run tells, what was only made ready left out.
    public let playback: PlaybackReport
    /// Whether a source that was in trouble never showed a picture.
    public let hasUnreachedSource: Bool
    /// An element of a document's `runs`.
    public let json: JSONValue

    /// - Parameters:
    ///   - swipeEvery: how long an item is watched, in microseconds.
    ///   - lasted: from the first wish to the end of the last item, in microseconds.
    init(
        _ report: PlaybackReport, strategy: String, controller: ControllerID, decisions: [FeedLedger.Decisions],
        swipeEvery: Int64, lasted: Int64, maxPoolSize: Int64?, peakResidentBytes: Int64?, isInterrupted: Bool
    ) {
        var playback = report
        playback.sessions = report.sessions.filter { $0.record.controller == controller }
        self.playback = playback
        let records = playback.sessions.map(\.record)
        let own = Set(records.map(\.session))
        // A session that goes on from another of the same controller was begun by a strategy, and not by a swipe.
        let begun = records.filter { $0.continuedFrom.map { !own.contains($0) } ?? true }
        let items = zip(decisions, begun).map { FeedItem(decisions: $0, record: $1, patience: swipeEvery) }
        let seen = Set(items.filter { $0.record.clickToFrame != nil }.map(\.record.uniqueID))
        hasUnreachedSource = items.contains { $0.isMissedInTrouble && !seen.contains($0.record.uniqueID) }
        let swipes = items.dropFirst()
        let nominal = swipeEvery.multipliedReportingOverflow(by: Int64(decisions.count))
        let document = report.json
        func figures(_ kind: PlayerInstanceKind) -> JSONValue {
            FeedFigures(swipes.filter { $0.record.instance == kind }).json
        }
        func sum(_ frames: KeyPath<SessionRecord.Frames, Int64?>) -> JSONValue {
            let known = records.compactMap { $0.frames[keyPath: frames] }
            return known.isEmpty ? nil : .int(known.reduce(0, +))
        }
        json = [
            "strategy": .string(strategy),
            "interrupted": .bool(isInterrupted),
            "lasted_ms": .milliseconds(lasted),
            "nominal_ms": .milliseconds(nominal.overflow ? .max : nominal.partialValue),
            "max_pool_size": JSONValue(maxPoolSize),
            "start": items.first.map { $0.json(at: 0) } ?? nil,
            "swipes": FeedFigures(swipes).json,
            "instances": [
                "cold": figures(.cold), "warm": figures(.warm), "pre_rendered": figures(.preRendered),
                "none": figures(.unknown),
            ],
            "pool": document["pool"] ?? nil,
            "peak_resident_bytes": JSONValue(peakResidentBytes),
            "frames": [
                "presented": sum(\.presented), "dropped_late": sum(\.droppedLate),
                "dropped_decoder": sum(\.droppedByDecoder),
            ],
            "errors": .array(records.flatMap(FeedReport.errors) + items.compactMap(FeedReport.retry)),
            "strategies": document["strategies"] ?? nil,
            "losses": document["losses"] ?? nil,
            "items": .array(items.enumerated().map { $1.json(at: $0) }),
        ]
    }

    private static func errors(of record: SessionRecord) -> [JSONValue] {
        (record.json["errors"]?.array ?? []).compactMap { error in
            guard var members = error.object?.members else { return nil }
            members.insert(JSONObject.Member("source", JSONValue(record.source)), at: 0)
            return .object(JSONObject(members))
        }
    }

    /// Why the source of a missed item was tried again, as an error that ended nothing.
    private static func retry(of item: FeedItem) -> JSONValue? {
        guard item.outcome == .missed, let reason = item.record.retryReason else { return nil }
        return [
            "source": JSONValue(item.record.source), "code": nil, "name": nil, "fatal": false,
            "message": .string(reason), "hint": nil, "http_status": nil,
        ]
    }

    /// The document of one run or of several, of which each is compared with the first.
    ///
    /// - Parameters:
    ///   - list: what the list is called.
    ///   - runs: `json` of reports, of this process or of others.
    ///   - isComparison: whether several strategies were to play it.
    ///   - failures: strategies without a run, and why.
    public static func document(
        _ settings: FeedSettings, list: String, runs: [JSONValue], isComparison: Bool = false,
        failures: [(strategy: String, message: String)] = []
    ) -> JSONValue {
        let first = runs.first.flatMap(p95)
        let compared = runs.map { run -> JSONValue in
            guard var members = run.object?.members else { return run }
            let ratio = p95(of: run).flatMap { own in first.flatMap { $0 > 0 ? own / $0 : nil } }
            members.removeAll { $0.key == "p95_ratio" }
            members.append(JSONObject.Member("p95_ratio", JSONValue(ratio)))
            return .object(JSONObject(members))
        }
        return [
            "schema": .string(schema),
            "host": [
                "version": .string(HostVersions.product), "abi": .string(HostVersions.abi),
                "libavformat": .string(HostVersions.libavformat),
            ],
            "feed": [
                "list": .string(list), "sources": .int(Int64(settings.models.count)),
                "swipes": .int(Int64(settings.swipeCount)),
                "swipe_every_ms": .milliseconds(settings.swipeEvery.wholeMicroseconds),
                "window": .int(Int64(settings.window)), "comparison": .bool(isComparison),
            ],
            "runs": .array(compared),
            "failures": .array(
                failures.map { ["strategy": .string($0.strategy), "message": .string($0.message)] }),
        ]
    }

    private static func p95(of run: JSONValue) -> Double? { run["swipes"]?["first_frame_ms"]?["p95"]?.number }
}
