// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// Keeps what monitors report: of a record the last one, of occurrences all, by session and instance.
///
/// Thread: one at a time.
public struct ReportCollector: Sendable {
    /// What one instance said of one session under one name.
    struct Named: Sendable {
        var name: String
        var record: [ReportEntry.Field]?
        var occurrences: [[ReportEntry.Field]] = []
    }

    /// Occurrences kept of one name, instance and session; what comes after is counted.
    public static let occurrenceLimit = 10_000

    private struct Key: Hashable {
        var session: SessionID
        var instance: String
    }

    private var named: [Key: [Named]] = [:]
    private var instances: [SessionID: [String]] = [:]
    /// Occurrences that were not kept, by instance.
    public private(set) var cut: [String: UInt64] = [:]

    public init() {}

    /// - Returns: false if it was cut.
    @discardableResult
    public mutating func accept(_ entry: ReportEntry, instance: String) -> Bool {
        let key = Key(session: entry.session, instance: instance)
        if named[key] == nil { instances[entry.session, default: []].append(instance) }
        var list = named.removeValue(forKey: key) ?? []
        var index = list.firstIndex { $0.name == entry.name }
        if index == nil {
            index = list.count
            list.append(Named(name: entry.name))
        }
        var isKept = true
        if let index {
            switch entry.kind {
            case .record: list[index].record = entry.fields
            case .occurrence where list[index].occurrences.count < ReportCollector.occurrenceLimit:
                list[index].occurrences.append(entry.fields)
            case .occurrence:
                cut[instance, default: 0] += 1
                isKept = false
            }
        }
        named[key] = list
        return isKept
    }

    /// Forgets a session that has been reported.
    public mutating func forget(_ session: SessionID) {
        for instance in instances.removeValue(forKey: session) ?? [] {
            named[Key(session: session, instance: instance)] = nil
        }
    }

    /// Instances that reported on a session, by name.
    func instances(of session: SessionID) -> [String] {
        (instances[session] ?? []).sorted()
    }

    func reports(of session: SessionID, instance: String) -> [Named] {
        named[Key(session: session, instance: instance)] ?? []
    }
}
