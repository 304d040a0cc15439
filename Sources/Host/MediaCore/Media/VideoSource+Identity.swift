// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension VideoSource {
    /// The canonical identity: equal for the same video under another signature, different for different videos. Holds no secret.
    ///
    /// `vid-auth:VID`, `vid-sts:VID`, `file:ABSOLUTE PATH`, or `url:` and the URL without fragment, user information and
    /// volatile query items; the rest is byte-exact.
    public var uniqueID: String { uniqueID(ignoring: .standard) }

    /// The canonical identity under other volatile names or another working directory.
    ///
    /// In a path, `.` and empty components are left out; `..` stays, since only the file system could resolve it.
    ///
    /// - Parameter directory: what relative paths are relative to; nil means the process's working directory.
    public func uniqueID(ignoring volatile: VolatileQuery, relativeTo directory: String? = nil) -> String {
        switch kind {
        case .vidAuth(let vid, _): "vid-auth:" + vid
        case .vidSts(let vid, _, _, _, _): "vid-sts:" + vid
        case .url(let text):
            switch SourceLocation(text) {
            case .file(let path): "file:" + FilePath.absolute(path, relativeTo: directory)
            case .standardInput, .url: "url:" + URLText(text).withoutSecrets(volatile)
            }
        }
    }

    /// The source as people may see it: a path as it was given, a URL without user information and volatile query items.
    public var displayName: String { displayName(ignoring: .standard) }

    /// The source as people may see it, under other volatile names.
    public func displayName(ignoring volatile: VolatileQuery) -> String {
        switch kind {
        case .vidAuth(let vid, _): "vid-auth:" + vid
        case .vidSts(let vid, _, _, _, _): "vid-sts:" + vid
        case .url(let text):
            switch SourceLocation(text) {
            case .file, .standardInput: text
            case .url: URLText(text).withoutSecrets(volatile)
            }
        }
    }

    /// The path of a local file, also of a `file:` URL; nil if the source is anything else.
    public var filePath: String? {
        guard case .url(let text) = kind, case .file(let path) = SourceLocation(text) else { return nil }
        return path
    }

    /// A hash of the whole source, credentials included: the same identity with another revision is the same video, signed anew.
    /// Stable between processes, never shown.
    public var sourceRevision: UInt64 {
        switch kind {
        case .vidAuth(let vid, let playAuth): Self.hash(["vid-auth", vid, playAuth])
        case .vidSts(let vid, let id, let secret, let token, let region):
            Self.hash(["vid-sts", vid, id, secret, token, region])
        case .url(let url): Self.hash(["url", url])
        }
    }

    /// FNV-1a; a byte that UTF-8 never has ends each part, so parts cannot run into each other.
    private static func hash(_ parts: [String]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in parts {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            hash = (hash ^ 0xff) &* 0x100_0000_01b3
        }
        return hash
    }
}

/// A URL in its parts, none of them decoded. Cut at bytes: a mark that combines with the next character is a mark all the same.
private struct URLText {
    private var beforeAuthority: Substring
    private var authority: Substring
    private var path: Substring
    private var query: Substring?

    init(_ text: String) {
        let whole = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        let head = whole.prefix { $0 != UInt8(ascii: "?") }
        query = head.endIndex == whole.endIndex ? nil : Substring(whole[head.endIndex...].dropFirst())
        var start = head.startIndex
        while start < head.endIndex, !head[start...].starts(with: "://".utf8) { start = head.index(after: start) }
        let rest = head[start...].dropFirst("://".utf8.count)
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        beforeAuthority = Substring(head[..<rest.startIndex])
        authority = Substring(rest[..<end])
        path = Substring(rest[end...])
    }

    func withoutSecrets(_ volatile: VolatileQuery) -> String {
        let host =
            authority.utf8.split(
                separator: UInt8(ascii: "@"), omittingEmptySubsequences: false
            ).last.map { Substring($0) } ?? authority
        let kept = query.map(volatile.strip)
        let tail = kept.map { $0.isEmpty && query?.isEmpty == false ? "" : "?" + $0 } ?? ""
        return "\(beforeAuthority)\(host)\(path)\(tail)"
    }
}
