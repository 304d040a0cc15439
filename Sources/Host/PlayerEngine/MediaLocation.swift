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
        switch MediaLocation.scheme(of: text) {
        case nil:
            self = text == "-" ? .standardInput : .file(path: text)
        case "file":
            guard let path = MediaLocation.path(ofFileURL: text) else { throw UnusableSource(scheme: nil) }
            self = .file(path: path)
        case "pipe":
            guard text == "pipe:" || text == "pipe:0" else { throw UnusableSource(scheme: "pipe") }
            self = .standardInput
        case .some(let scheme) where MediaLocation.remoteSchemes.contains(scheme):
            self = .remote(url: text)
        case .some(let scheme):
            throw UnusableSource(scheme: scheme)
        }
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

    /// The scheme in lower case; nil for a path. `a:b` is a path, `a://b` is not; `file:` and `pipe:` need no slashes.
    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text[..<colon].lowercased()
        let isName = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        }
        guard isName, name.utf8.count > 1 else { return nil }
        return name == "file" || name == "pipe" || text[colon...].hasPrefix("://") ? name : nil
    }

    /// The path of `file:/p`, `file:///p` and `file://localhost/p` with its percent escapes undone; nil for another host's.
    private static func path(ofFileURL text: String) -> String? {
        var rest = text.dropFirst("file:".count)
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            if rest.hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
            guard rest.hasPrefix("/") else { return nil }
        }
        var bytes: [UInt8] = []
        var remaining = rest.utf8[...]
        while let byte = remaining.popFirst() {
            if byte == UInt8(ascii: "%"), let decoded = UInt8(String(remaining.prefix(2)) ?? "", radix: 16),
                remaining.count >= 2
            {
                bytes.append(decoded)
                remaining = remaining.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A source that names nothing this engine can open.
package struct UnusableSource: Error, Hashable {
    /// The scheme that is not supported; nil where the text itself is no name.
    package var scheme: String?
}
