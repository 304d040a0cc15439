// SPDX-License-Identifier: Apache-2.0

/// The server that an address names: its scheme, host and port, in lower case.
struct HTTPOrigin: Equatable {
    private let scheme: Substring
    private let authority: Substring

    /// nil if it names none.
    init?(_ url: String) {
        let parts = url.lowercased().split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[1].hasPrefix("//") else { return nil }
        scheme = parts[0]
        let rest = parts[1].dropFirst(2).prefix { !"/?#\\".contains($0) }
        guard let host = rest.split(separator: "@", omittingEmptySubsequences: false).last, !host.isEmpty else {
            return nil
        }
        let port = scheme == "https" ? ":443" : ":80"
        authority = host.hasSuffix(port) ? host.dropLast(port.count) : host
    }
}
