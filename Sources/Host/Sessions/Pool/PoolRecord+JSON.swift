// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import MediaCore

extension PoolRecord {
    /// The name of the event that a log has for an operation of a pool. It belongs to no session.
    static let eventName = "pool"

    /// What is wrong with a line of a log, without its number.
    package struct Malformed: Error, Hashable, Sendable {
        /// One sentence without a full stop.
        package var message: String
    }

    /// The line of an event log.
    ///
    /// - Parameter origin: the event time that the log's times count from.
    package func json(origin: EventTime) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("t_ms", .milliseconds(time - origin)), ("event", .string(PoolRecord.eventName)),
            ("op", .string(operationName)),
        ]
        switch operation {
        case .acquire(let uniqueID, let sourceKind):
            members += [("id", .string(uniqueID)), ("source", .int(Int64(sourceKind)))]
        case .recycle(let uniqueID, let force):
            if let uniqueID { members.append(("id", .string(uniqueID))) }
            members.append(("force", .bool(force)))
        case .lend(let borrower): members.append(("to", JSONValue(borrower.map(Int64.init(clamping:)))))
        case .preload(let count): members.append(("count", .int(count)))
        case .resize(let size): members.append(("value", .int(size)))
        case .pressure(let isCritical): members.append(("level", isCritical ? "critical" : "moderate"))
        case .upcoming(let items):
            let list = items.map { ["id": .string($0.uniqueID), "distance": .int(Int64($0.distance))] as JSONValue }
            members.append(("items", .array(list)))
        case .reclaim, .clear, .idle, .lose: break
        }
        if let lease { members.append(("lease", .int(Int64(clamping: lease)))) }
        if let player { members.append(("player", .int(player))) }
        if !outcome.isEmpty { members.append(("outcome", .string(outcome))) }
        members.append(("created", .int(created)))
        members.append(("evicted", .array(evicted.map { .int($0) })))
        if !prepared.isEmpty {
            let list = prepared.map {
                ["id": .string($0.uniqueID), "stage": .string($0.stage), "player": .int($0.player)] as JSONValue
            }
            members.append(("prepare", .array(list)))
        }
        if !playing.isEmpty { members.append(("playing", .array(playing.map { .int(Int64(clamping: $0)) }))) }
        members.append(("by_default", .bool(isDefault)))
        return .object(JSONObject(members.map { JSONObject.Member($0.0, $0.1) }))
    }

    /// Reads a line of an event log.
    ///
    /// - Returns: nil for a line that tells of something else.
    /// - Throws: what is wrong with a line that tells of a pool, or is no JSON.
    package init?(line: String) throws(Malformed) {
        guard line.utf8.contains(UInt8(ascii: "{")) else {
            if line.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return nil }
            throw Malformed(message: "it is not a JSON object")
        }
        let value: JSONValue
        do {
            value = try JSONReader(maximumDepth: 16).read(line)
        } catch {
            throw Malformed(message: "it is not JSON: \(error)")
        }
        guard value["event"]?.string == PoolRecord.eventName else { return nil }
        guard let time = value["t_ms"]?.number, time.magnitude < PoolRecord.longest else {
            throw Malformed(message: "t_ms is missing or out of range")
        }
        self.init(
            try PoolRecord.operation(value), at: EventTime(microseconds: Int64((time * 1000).rounded())))
        lease = PoolRecord.number(value["lease"])
        player = value["player"]?.int
        outcome = value["outcome"]?.string ?? ""
        created = value["created"]?.int ?? 0
        evicted = (value["evicted"]?.array ?? []).compactMap(\.int)
        playing = (value["playing"]?.array ?? []).compactMap(PoolRecord.number)
        isDefault = value["by_default"]?.bool ?? false
        prepared = (value["prepare"]?.array ?? []).compactMap { item in
            guard let id = item["id"]?.string, let stage = item["stage"]?.string, let player = item["player"]?.int
            else { return nil }
            return Preparation(uniqueID: id, stage: stage, player: player)
        }
    }

    /// Milliseconds; more is no time of a log.
    private static let longest = 1e15

    private static func operation(_ value: JSONValue) throws(Malformed) -> Operation {
        let name = value["op"]?.string ?? ""
        switch name {
        case "acquire":
            guard let id = value["id"]?.string else { throw Malformed(message: "an acquire has no id") }
            return .acquire(uniqueID: id, sourceKind: UInt32(clamping: value["source"]?.int ?? 0))
        case "recycle": return .recycle(uniqueID: value["id"]?.string, force: value["force"]?.bool ?? false)
        case "lend": return .lend(to: number(value["to"]))
        case "reclaim": return .reclaim
        case "preload": return .preload(count: value["count"]?.int ?? 0)
        case "clear": return .clear
        case "max": return .resize(value["value"]?.int ?? 0)
        case "pressure": return .pressure(isCritical: value["level"]?.string == "critical")
        case "idle": return .idle
        case "lose": return .lose
        case "upcoming":
            var items: [UpcomingItem] = []
            for item in value["items"]?.array ?? [] {
                guard let id = item["id"]?.string, let distance = item["distance"]?.int.flatMap(Int32.init(exactly:))
                else { throw Malformed(message: "an upcoming item has no id or no distance") }
                items.append(UpcomingItem(uniqueID: id, distance: distance))
            }
            return .upcoming(items)
        default: throw Malformed(message: "'\(name.prefix(64))' is no operation of a pool")
        }
    }

    private static func number(_ value: JSONValue?) -> UInt64? {
        value?.int.flatMap(UInt64.init(exactly:))
    }
}
