// SPDX-License-Identifier: Apache-2.0

/// The names of query items that change with every signature or carry a secret, so they are no part of a source's identity.
public struct VolatileQuery: Hashable, Sendable {
    /// Compared without regard to ASCII case; a final `*` stands for any rest.
    public var names: [String]

    /// `names` are compared as they are spelled.
    public init(names: [String]) {
        self.names = names
    }

    public static let standard = VolatileQuery(names: [
        "auth_key", "token", "access_token", "security-token", "sign", "signature", "sig", "expires", "policy",
        "key-pair-id", "awsaccesskeyid", "ossaccesskeyid", "hdnts", "wssecret", "wstime", "x-amz-*", "x-goog-*",
        "x-oss-*",
    ])

    /// Whether a query item of this name is volatile.
    public func contains(_ name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        return names.contains { pattern in
            let pattern = pattern.lowercased()
            return pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name == pattern
        }
    }

    /// The query without its volatile items; what is kept stays byte-exact and in order.
    ///
    /// A value that holds a URL with a query of its own, plain or percent-encoded, is treated alike.
    ///
    /// - Parameter query: what follows the first `?`, without a fragment.
    func strip(_ query: Substring) -> String {
        var kept = ""
        // The separator of the items dropped since the last kept one: the next item takes it over, `?` before `&`.
        var dropped: Substring?
        for item in QueryItems(query) {
            if contains(item.name) {
                if dropped == nil { dropped = item.separator }
            } else {
                if !kept.isEmpty { kept += dropped ?? item.separator }
                kept += item.text
                dropped = nil
            }
        }
        return kept
    }
}

/// The items of a query: cut at `?` and `&`, and at `%3F` and `%26`, which are those of a nested URL.
private struct QueryItems: Sequence, IteratorProtocol {
    struct Item {
        var separator: Substring
        var name: Substring
        var text: Substring
    }

    private var rest: Substring?
    private var separator: Substring

    init(_ query: Substring) {
        rest = query
        separator = query.prefix(0)
    }

    mutating func next() -> Item? {
        guard let rest else { return nil }
        let cut = Self.first(["?", "&", "%3F", "%26"], in: rest)
        let text = cut.map { rest[..<$0.lowerBound] } ?? rest
        let nameEnd = Self.first(["=", "%3D"], in: text)?.lowerBound ?? text.endIndex
        let item = Item(separator: separator, name: text[..<nameEnd], text: text)
        self.rest = cut.map { rest[$0.upperBound...] }
        if let cut { separator = rest[cut] }
        return item
    }

    /// Where the earliest of `marks` stands; the marks are ASCII and compared without regard to case.
    private static func first(_ marks: [String], in text: Substring) -> Range<Substring.Index>? {
        let bytes = text.utf8
        var index = bytes.startIndex
        while index < bytes.endIndex {
            for mark in marks {
                var end = index
                var matches = true
                for expected in mark.utf8 {
                    guard end < bytes.endIndex, uppercased(bytes[end]) == expected else {
                        matches = false
                        break
                    }
                    end = bytes.index(after: end)
                }
                if matches { return index..<end }
            }
            index = bytes.index(after: index)
        }
        return nil
    }

    private static func uppercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
    }
}
