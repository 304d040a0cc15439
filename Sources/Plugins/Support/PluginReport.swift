// SPDX-License-Identifier: Apache-2.0

/// What a monitor says of a session.
public struct PluginReport: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Replaces the former one of the same name and session.
        case record
        /// Is appended.
        case occurrence
    }

    public enum Value: Hashable, Sendable {
        case unknown
        case int(Int64)
        case double(Double)
        case string(String)
        /// Microseconds, nil if not known; name the key `…_ms`, it is shown in milliseconds.
        case duration(Int64?)
        case flag(Bool)
    }

    public struct Field: Hashable, Sendable {
        public var key: String
        public var value: Value

        public init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    public var kind: Kind
    public var session: UInt32
    /// `[a-z][a-z0-9_]*`, at most 64 bytes; the same for keys.
    public var name: String
    public var fields: [Field]

    public init(_ kind: Kind, session: UInt32, name: String, fields: [Field]) {
        self.kind = kind
        self.session = session
        self.name = name
        self.fields = fields
    }
}

/// Where a monitor's reports go; valid during the call that was given it.
public protocol PluginReportOutput {
    /// - Throws: `PluginFailure` with the host's answer: `badArgument`, `stale` or `limit`.
    func emit(_ report: PluginReport) throws
}
