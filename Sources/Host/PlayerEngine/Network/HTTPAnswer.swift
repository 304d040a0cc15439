// SPDX-License-Identifier: Apache-2.0

/// The head of an answer that brings content, after all redirects.
struct HTTPAnswer: Equatable {
    /// Where the bytes that follow begin in the content.
    var start: Int64 = 0
    /// Bytes of the whole content; nil if the server does not tell, or packs it.
    var size: Int64?
    /// What tells this version of the content from others: a strong entity tag, else the date of its last change.
    var version: String?
    /// Whether the server says that it can begin anywhere.
    var acceptsRanges = false
    /// Where it came from in the end.
    var url: String

    /// - Parameters:
    ///   - status: 200 to 299, or 416.
    ///   - length: bytes that follow; nil if it is not told.
    ///   - field: the value of a header, nil if it is not there.
    /// - Returns: nil if it contradicts itself.
    init?(status: Int, length: Int64?, url: String, field: (String) -> String?) {
        self.url = url
        let tag = field("ETag")
        version = tag.flatMap { $0.hasPrefix("W/") ? nil : $0 } ?? field("Last-Modified")
        let isPacked = field("Content-Encoding").map { $0.lowercased() != "identity" } ?? false
        switch status {
        case 206:
            guard let range = ContentRange(field("Content-Range")), let first = range.first else { return nil }
            start = first
            size = range.size
            acceptsRanges = true
        case 416:
            // Asked for what is behind the end: nothing is left of a content of this size.
            guard let range = ContentRange(field("Content-Range")), let whole = range.size else { return nil }
            start = whole
            size = whole
            acceptsRanges = true
        default:
            size = length
            acceptsRanges = field("Accept-Ranges")?.lowercased() == "bytes"
        }
        if isPacked {
            guard start == 0 else { return nil }
            size = nil
            acceptsRanges = false
        }
    }
}

/// The header `Content-Range`: `bytes 0-99/200`, `bytes 0-99/*` or `bytes */200`.
struct ContentRange: Equatable {
    var first: Int64?
    var size: Int64?

    init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let size = ContentRange.number(parts[1]) else { return nil }
            self.size = size
        }
        guard parts[0] != "*" else { return }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = ContentRange.number(ends[0]), let last = ContentRange.number(ends[1]),
            first <= last, size.map({ last < $0 }) ?? true
        else { return nil }
        self.first = first
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }
}
