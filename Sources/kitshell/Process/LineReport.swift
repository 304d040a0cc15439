// SPDX-License-Identifier: Apache-2.0

internal import PlayerKit

/// Writes a run's results as lines of JSON while it goes on: `kitshell.lines/1`.
///
/// Thread: any.
final class LineReport: RunObserver {
    static let schema = "kitshell.lines/1"

    private let outputs: [LineOutput]

    /// - Parameter outputs: lines go to each of them and nothing else does.
    init(_ outputs: [LineOutput]) {
        self.outputs = outputs
        write(
            "begin",
            [
                "schema": .string(LineReport.schema),
                "host": [
                    "version": .string(HostVersions.product), "abi": .string(HostVersions.abi),
                    "libavformat": .string(HostVersions.libavformat),
                ],
            ])
    }

    func sessionEnded(_ session: SessionRecord) {
        write("session", session.json.object ?? [:])
    }

    func reported(_ entry: ReportEntry, by instance: String) {
        write(
            entry.kind == .record ? "record" : "occurrence",
            [
                "session": .int(Int64(entry.session.rawValue)), "strategy": .string(instance),
                "name": .string(entry.name), "fields": entry.json,
            ])
    }

    func failed(_ fault: StrategyStatus.Fault, in strategy: String) {
        var members = fault.json.object ?? [:]
        members["strategy"] = .string(strategy)
        write("fault", members)
    }

    /// The last line: what is known only at the end.
    ///
    /// - Parameter report: schema `kitshell.report/1`.
    func end(_ report: JSONValue) {
        write(
            "end",
            [
                "sessions": .int(Int64(report["sessions"]?.array?.count ?? 0)),
                "first_frames": report["first_frames"] ?? nil,
                "strategies": report["strategies"] ?? [], "pool": report["pool"] ?? nil,
                "losses": report["losses"] ?? nil,
                "lines_lost": .int(Int64(clamping: outputs.reduce(0) { $0 + $1.lost })),
            ], isLast: true)
    }

    /// Waits until all lines are written.
    ///
    /// - Returns: for each output why they could not be; nil if they were.
    func finish() -> [String?] { outputs.map { $0.finish() } }

    private func write(_ line: String, _ members: JSONObject, isLast: Bool = false) {
        let all = [JSONObject.Member("line", .string(line))] + members.members
        let text = Array((JSONWriter.text(.object(JSONObject(all))) + "\n").utf8)
        for output in outputs { output.write(text, isLast: isLast) }
    }
}
