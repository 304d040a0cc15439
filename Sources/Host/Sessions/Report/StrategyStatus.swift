// SPDX-License-Identifier: Apache-2.0

/// What became of a strategy: a row of the report's `strategies`.
public struct StrategyStatus: Sendable {
    /// Whether it runs.
    public enum Health: String, Sendable {
        case running
        case backoff
        case quarantined
        case refused
    }

    /// Where its code runs.
    public enum Place: String, Sendable {
        case inProcess = "in-process"
        case worker
    }

    /// Something it did wrong.
    public struct Fault: Hashable, Sendable {
        public enum Kind: String, Sendable {
            case crash
            case hang
            case exit
            case error
            case exception
            case invalidDecision = "invalid_decision"
            case `protocol`
            case denied
            case refused
        }

        public var kind: Kind
        /// The call that ran: `create`, `on_events`, `decide`, `destroy`, `start`, `name` …
        public var during: String
        /// `SIGSEGV` …, nil unless a signal ended it.
        public var signal: String?
        /// Of a crash: what could not be reached, in hexadecimal; nil where nobody knows.
        public var address: String?
        /// Of a crash: the function of the plugin, as in `on_events+0x1c`; nil if it was elsewhere, or has no name.
        public var symbol: String?
        /// One sentence: what happened and what to do next.
        public var detail: String
        /// The path of the file that tells more; nil if there is none.
        public var report: String?

        public init(_ kind: Kind, during: String, signal: String? = nil, detail: String) {
            self.kind = kind
            self.during = during
            self.signal = signal
            self.detail = detail
        }
    }

    /// The instance's name: what the user called it.
    public var name: String
    /// The plugin's id; nil if the file never told.
    public var id: String?
    /// `monitor`, `lifecycle`.
    public var kinds: [String]
    public var version: String?
    /// `built-in`, `native` (Swift code of the embedder), or the path of the file.
    public var origin: String
    public var runs: Place?
    /// `full`, `partial` or `none`; nil in this process, or until it was loaded.
    public var sandbox: String?
    /// What keeps the sandbox from being full.
    public var sandboxGap: String?
    public var health: Health
    public var faults: [Fault] = []
    public var calls: UInt64 = 0
    public var eventsDelivered: UInt64 = 0
    public var eventsDropped: UInt64 = 0
    public var defaultsUsed: UInt64 = 0
    /// Reports that were refused or not kept.
    public var reportsCut: UInt64 = 0

    public init(
        name: String, id: String?, kinds: [String], version: String? = nil, origin: String, runs: Place? = nil,
        sandbox: String? = nil, health: Health = .running
    ) {
        self.name = name
        self.id = id
        self.kinds = kinds
        self.version = version
        self.origin = origin
        self.runs = runs
        self.sandbox = sandbox
        self.health = health
    }
}
