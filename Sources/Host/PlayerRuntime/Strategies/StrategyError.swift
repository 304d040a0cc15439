// SPDX-License-Identifier: Apache-2.0

/// Why a strategy cannot be used.
public enum StrategyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The class named does not say what its strategy is called.
    case unnamed(String)
    /// The name is empty or holds control characters.
    case badName(String)

    public var description: String {
        switch self {
        case .unnamed(let type): "\(type) has no name: override strategyName"
        case .badName(let name):
            "'\(name)' cannot be a strategy's name: it must not be empty or hold control characters"
        }
    }
}
