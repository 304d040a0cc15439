// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// What a plugin throws to answer with a certain result; any other error becomes `internal`.
public struct PluginFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A negative `KIT_*` result.
    public enum Result: Int32, Sendable {
        case badArgument = -1
        case unsupported = -2
        case stale = -3
        case limit = -4
        case denied = -6
        /// The options cannot be used together; from `init` only.
        case config = -7
        case `internal` = -8
        /// "Never call this instance again."
        case fatal = -9
    }

    public var result: Result
    /// One sentence for the host's user.
    public var description: String

    public init(_ result: Result, _ description: String) {
        self.result = result
        self.description = description
    }
}
