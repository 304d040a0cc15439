// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Where the bytes of a source come from, and which protocols it may lead to.
///
/// Local sources may name further local files (a playlist's segments), remote ones only remote ones; nothing else is opened,
/// whatever a playlist says.
package enum MediaLocation: Hashable, Sendable {
    case standardInput
    case file(path: String)
    case remote(url: String)

    private static let remoteSchemes: Set<String> = ["http", "https"]

    /// Reads a URL or a path as a user writes it: a path, `-`, `file:`, `http:` or `https:`.
    ///
    /// - Throws: the scheme that is not supported, or nil where the text cannot name anything.
    package init(_ text: String) throws(UnusableSource) {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw UnusableSource(scheme: nil) }
        switch SourceLocation(text) {
        case .standardInput: self = .standardInput
        case .file(let path): self = .file(path: path)
        case .url(let scheme) where MediaLocation.remoteSchemes.contains(scheme):
            guard MediaLocation.hasHost(text) else { throw UnusableSource(scheme: nil) }
            self = .remote(url: text)
        case .url("file"): throw UnusableSource(scheme: nil)
        case .url(let scheme): throw UnusableSource(scheme: scheme)
        }
    }

    /// Whether an address is one of those that are asked of a server.
    static func isRemote(_ url: String) -> Bool {
        remoteSchemes.contains { scheme in url.prefix(scheme.count + 3).lowercased() == scheme + "://" }
    }

    /// Whether somebody to ask is named between `://` and the path, besides who logs in there and the port.
    private static func hasHost(_ url: String) -> Bool {
        guard let start = url.firstRange(of: "://")?.upperBound else { return false }
        let authority = url[start...].utf8.prefix { !"/?#".utf8.contains($0) }
        let host =
            authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
        return host.first.map { $0 != UInt8(ascii: ":") } ?? false
    }

    /// What libav resolves further names against.
    var url: String {
        switch self {
        case .standardInput: "pipe:0"
        case .file(let path): "file:" + path
        case .remote(let url): url
        }
    }

    var isRemote: Bool {
        if case .remote = self { true } else { false }
    }

    /// libav's `protocol_whitelist`.
    var allowedProtocols: String {
        isRemote ? "http,https,httpproxy,tcp,tls,crypto,data" : "file,crypto,data"
    }
}

/// A source that names nothing this engine can open.
package struct UnusableSource: Error, Hashable {
    /// The scheme that is not supported; nil where the text itself is no name.
    package var scheme: String?
}
