// SPDX-License-Identifier: Apache-2.0

package import MediaCore

// The spelling of enumerated values in logs and reports. Raw values count from 0, so a table is indexed by them.

/// Names of enumerated values, by raw value.
enum EventNames {
    static let playerStates = PlayerState.allCases.map(\.name)
    static let instances = ["unknown", "cold", "warm", "pre-rendered"]
    static let causes = LoadingCause.allCases.map(\.name)
    static let networks = NetworkType.allCases.map(\.name)
    static let stopReasons = ["user", "until", "preview_end", "interrupted", "idle"]
    static let frameKinds = ["shown", "preview"]
    static let sessionStates: [String] = (0...35).map { number in
        SessionState(rawValue: number)?.name ?? ""
    }
}

extension PlayerState {
    /// The spelling of logs.
    package var name: String { "\(self)" }
}

extension NetworkType {
    /// The spelling of logs and reports.
    package var name: String { "\(self)" }
}

extension PlayerInstanceKind {
    /// The spelling of logs and reports.
    package var name: String { EventNames.instances[Int(rawValue)] }
}

extension LoadingCause {
    /// The spelling of logs and reports.
    package var name: String {
        switch self {
        case .unknown: "unknown"
        case .network: "network"
        case .decoder: "decoder"
        case .sourceGap: "source_gap"
        case .liveEdge: "live_edge"
        case .loop: "loop"
        case .seekRecovery: "seek_recovery"
        }
    }
}
