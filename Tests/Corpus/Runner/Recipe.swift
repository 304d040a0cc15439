// SPDX-License-Identifier: Apache-2.0

/// What a fixture is made of, as the table says it: `[pair|copy|link] KIND NAME [+GRANT…]`.
struct Recipe: Hashable, Sendable {
    enum Kind: String, Sendable {
        /// Bytes, or something else at a path, that the runner makes.
        case file
        /// plugin.c, or a line of C, with flags of the compiler.
        case build
        /// plugin.c with a fault, as a monitor.
        case c
        /// The same as a lifecycle strategy.
        case pool
        case cpp
        case rust
        case swift
        /// A program in place of kit-worker.
        case wire
    }

    /// What is given to kitshell beside the plugin.
    enum Company: String, Sendable {
        /// The same, built once more as another plugin.
        case pair
        /// Another file with the same bytes.
        case copy
        /// A link to the same file.
        case link
    }

    var kind: Kind
    var name: String
    var company: Company?
    var grants: [String]

    init?(_ text: String) {
        var words = text.split(separator: " ").map(String.init)
        company = words.first.flatMap(Company.init)
        if company != nil { words.removeFirst() }
        guard words.count >= 2, let kind = Kind(rawValue: words[0]), words[2...].allSatisfy({ $0.hasPrefix("+") })
        else {
            return nil
        }
        self.kind = kind
        name = words[1]
        grants = words[2...].map { String($0.dropFirst()) }
    }

    /// As short as the table's rows stay different.
    var label: String {
        let prefix = [company?.rawValue, [.cpp, .rust, .swift, .pool].contains(kind) ? kind.rawValue : nil]
        return (prefix.compactMap(\.self) + [name] + grants.map { "+\($0)" }).joined(separator: " ")
    }
}
