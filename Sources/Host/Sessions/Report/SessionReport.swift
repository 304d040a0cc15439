// SPDX-License-Identifier: Apache-2.0

public import JSONText

/// One session with what the strategies said of it: a row of the report's `sessions`.
public struct SessionReport: Sendable {
    /// The monitors that have a place of their own in the report.
    public enum BuiltIn: String, Sendable, CaseIterable {
        case firstFrame = "first_frame"
        case stutter
        case traffic

        /// The name its instance has unless somebody gives another.
        public var instance: String {
            switch self {
            case .firstFrame: "first-frame"
            case .stutter: "stutter-detect"
            case .traffic: "traffic-protection"
            }
        }
    }

    public var record: SessionRecord
    /// The keys of built-ins that ran and of strangers, in their order, each with what it said.
    private var monitors: [JSONObject.Member]

    /// - Parameter builtIns: the built-ins that ran under their own names; one that said nothing is null, one that did not run is
    ///   absent. Everything else that reported is a stranger, whatever its name.
    public init(record: SessionRecord, reports: ReportCollector, builtIns: Set<BuiltIn>) {
        self.record = record
        let session = record.session
        monitors = []
        for builtIn in BuiltIn.allCases where builtIns.contains(builtIn) {
            let named = reports.reports(of: session, instance: builtIn.instance)
            monitors.append(
                .init(
                    builtIn.rawValue,
                    named.isEmpty ? .null : SessionReport.object(named, inlining: builtIn.rawValue)))
        }
        let own = Set(builtIns.map(\.instance))
        let strangers = reports.instances(of: session).filter { !own.contains($0) }.map { instance in
            JSONObject.Member(
                instance, SessionReport.object(reports.reports(of: session, instance: instance)))
        }
        monitors.append(.init("plugins", .object(JSONObject(strangers))))
    }

    public var json: JSONValue {
        .object(JSONObject(record.jsonMembers + monitors))
    }

    /// The value of the report's `sessions`.
    public static func json(_ reports: [SessionReport]) -> JSONValue {
        .array(reports.map(\.json))
    }

    /// What an instance said, by name. Where a name has a record and occurrences the latter are shown as `name_list`.
    ///
    /// - Parameter key: the record of this name gives its fields instead of an object.
    private static func object(_ named: [ReportCollector.Named], inlining key: String? = nil) -> JSONValue {
        var object = JSONObject()
        for item in named {
            if let record = item.record, item.name == key {
                for field in record { object[field.key] = JSONValue(field.value) }
            } else if let record = item.record {
                object[item.name] = JSONValue(record)
            }
            if !item.occurrences.isEmpty {
                let isAlone = item.record == nil && item.name != key
                object[isAlone ? item.name : "\(item.name)_list"] = .array(item.occurrences.map(JSONValue.init))
            }
        }
        return .object(object)
    }
}

extension ReportEntry {
    /// Its fields, as the report shows them.
    public var json: JSONValue { JSONValue(fields) }
}

extension JSONValue {
    fileprivate init(_ fields: [ReportEntry.Field]) {
        self = .object(JSONObject(fields.map { .init($0.key, JSONValue($0.value)) }))
    }

    fileprivate init(_ value: ReportEntry.Value) {
        switch value {
        case .unknown: self = .null
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .duration(let microseconds): self = .milliseconds(microseconds)
        case .flag(let value): self = .bool(value)
        }
    }
}
