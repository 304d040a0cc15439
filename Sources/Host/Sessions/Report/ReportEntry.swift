// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// One report of a monitoring strategy about a session.
public struct ReportEntry: Hashable, Sendable {
    /// A record replaces the former one of the same name and session; an occurrence is appended.
    public enum Kind: Hashable, Sendable {
        case record
        case occurrence
    }

    /// A typed value; `unknown` is shown as null.
    public enum Value: Hashable, Sendable {
        case unknown
        case int(Int64)
        case double(Double)
        case string(String)
        /// Microseconds.
        case duration(Int64)
        case flag(Bool)
    }

    /// A key and its value, in the order the strategy gave them.
    public struct Field: Hashable, Sendable {
        public var key: String
        public var value: Value

        public init(_ key: String, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    public var kind: Kind
    public var session: SessionID
    public var name: String
    public var fields: [Field]

    public init(_ kind: Kind, session: SessionID, name: String, fields: [Field]) {
        self.kind = kind
        self.session = session
        self.name = name
        self.fields = fields
    }
}
