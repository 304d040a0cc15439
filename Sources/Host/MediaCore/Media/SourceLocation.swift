// SPDX-License-Identifier: Apache-2.0

/// What the text of a URL source names: the one reading that its identity, its display and the engine that opens it share.
package enum SourceLocation: Hashable, Sendable {
    case standardInput
    /// A path as it was given, or that of a `file:` URL with its percent escapes undone.
    case file(path: String)
    /// Anything else with a scheme; this includes `file:` URLs that name no file of this machine.
    ///
    /// - Parameter scheme: in lower case.
    case url(scheme: String)

    /// Reads a path, `-`, or a URL. `a:b` is a path, `a://b` is not; `file:`, `pipe:` and `data:` need no slashes.
    package init(_ text: String) {
        switch SourceLocation.scheme(of: text) {
        case nil: self = text == "-" ? .standardInput : .file(path: text)
        case "file"?: self = SourceLocation.path(ofFileURL: text).map { .file(path: $0) } ?? .url(scheme: "file")
        case "pipe"? where ["pipe:", "pipe:0"].contains(text.lowercased()): self = .standardInput
        case let scheme?: self = .url(scheme: scheme)
        }
    }

    private static func scheme(of text: String) -> String? {
        guard let end = text.utf8.firstIndex(of: colon) else { return nil }
        let name = text[..<end].lowercased()
        let isName = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.".utf8.contains(byte)
        }
        guard isName, name.utf8.count > 1 else { return nil }
        return slashless.contains(name) || text.utf8[end...].starts(with: "://".utf8) ? name : nil
    }

    /// The path of `file:/p`, `file:///p` and `file://localhost/p`; nil for another host's, and where it cannot be one.
    private static func path(ofFileURL text: String) -> String? {
        var rest = text.utf8.dropFirst("file:".utf8.count)
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            if rest.starts(with: "localhost/".utf8) { rest = rest.dropFirst("localhost".utf8.count) }
            guard rest.first == UInt8(ascii: "/") else { return nil }
        }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let decoded = escaped(rest.prefix(2)) {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The byte that two hexadecimal digits stand for.
    private static func escaped(_ digits: Substring.UTF8View) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt8(Substring(digits), radix: 16)
    }

    private static let colon = UInt8(ascii: ":")
    private static let slashless: Set<String> = ["file", "pipe", "data"]
}
