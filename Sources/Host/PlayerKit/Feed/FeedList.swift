// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import PlayerEngine

/// The sources of a feed, as a text file names them: one a line, a blank line and one that begins with `#` aside.
///
/// Relative paths are relative to the folder of the list, or to the working directory where the list is no file. URLs stay as they are.
public struct FeedList: Hashable, Sendable {
    /// In bytes. A source is a path or a URL.
    static let longestLine = 1 << 16
    /// Bytes of a whole list.
    static let longestList = 16 << 20
    static let mostSources = 100_000
    private static let hint = "Name a text file with one source a line, or '-' for standard input."

    private static let usable = "Write one source a line: a path, or a URL with file, http or https."

    /// As they can be played from the working directory. Never empty.
    public let sources: [String]

    /// Reads a list and looks whether its files are there; none of them is opened.
    ///
    /// - Parameters:
    ///   - descriptor: open; its owner closes it.
    ///   - path: what was opened; nil: standard input.
    /// - Throws: what is wrong with it, at which line.
    public init(descriptor: Int32, path: String?) throws(InputFailure) {
        let folder = path.map { FeedList.folder(of: $0, descriptor) } ?? ""
        var lines = LineReader(descriptor: descriptor, longestLine: FeedList.longestLine, hint: FeedList.hint)
        var sources: [String] = []
        while let bytes = try lines.nextBytes() {
            let number = lines.number
            func failure(_ message: String, _ hint: String = FeedList.hint) -> InputFailure {
                InputFailure(line: number, message: message, hint: hint)
            }
            guard lines.byteCount <= FeedList.longestList else {
                throw failure("the list is longer than \(FeedList.longestList >> 20) MiB")
            }
            guard !bytes.contains(0) else { throw failure("the line has a NUL byte, so this is no text") }
            guard let line = String(validating: bytes, as: UTF8.self) else {
                throw failure("the line is not UTF-8", "Save the list as UTF-8.")
            }
            guard let source = FeedList.source(of: line, isFirst: number == 1) else { continue }
            guard sources.count < FeedList.mostSources else {
                throw failure("the list has more than \(FeedList.mostSources) sources", "Split it.")
            }
            switch SourceLocation(source) {
            case .url:
                do throws(UnusableSource) {
                    _ = try MediaLocation(source)
                } catch {
                    let what = error.scheme.map { "the protocol \($0) is not supported" }
                    throw failure(what ?? "the URL names nothing that can be opened", FeedList.usable)
                }
                sources.append(source)
            case .standardInput:
                throw failure(
                    "standard input can be read once only, and a feed plays its sources again",
                    "Name a file; one that is called '\(source)' is './\(source)'.")
            case .file(let path):
                let isURL = path != source
                let resolved = isURL ? path : FeedList.join(folder, path)
                if let wrong = FeedList.defect(of: resolved) {
                    let place = folder.isEmpty ? "the working directory" : "'\(folder)'"
                    throw failure(
                        "'\(resolved)' \(wrong)",
                        "Correct the path, or begin the line with '#' to leave it out; relative paths are relative to "
                            + "\(place).")
                }
                sources.append(isURL ? source : resolved)
            }
        }
        guard !sources.isEmpty else {
            throw InputFailure(
                line: max(1, lines.number), message: "the list names no source",
                hint: FeedList.usable)
        }
        self.sources = sources
    }

    /// A list that reads as these sources again wherever it is read from standard input.
    public var text: String {
        sources.map { source in
            let isOdd = source.hasPrefix("#") || source.first?.isWhitespace == true
            return (isOdd ? "./" : "") + source + "\n"
        }.joined()
    }

    /// What a line names; nil if it is blank or a comment.
    private static func source(of line: String, isFirst: Bool) -> String? {
        var text = line[...]
        // Editors of other systems begin UTF-8 with a mark and end lines with a carriage return.
        if isFirst, text.unicodeScalars.first == "\u{FEFF}" { text = Substring(text.unicodeScalars.dropFirst()) }
        while let last = text.unicodeScalars.last, last.properties.isWhitespace {
            text = Substring(text.unicodeScalars.dropLast())
        }
        while let first = text.unicodeScalars.first, first.properties.isWhitespace {
            text = Substring(text.unicodeScalars.dropFirst())
        }
        return text.isEmpty || text.unicodeScalars.first == "#" ? nil : String(text)
    }

    /// The folder that a list lies in, with its slash; empty: the working directory. A pipe lies nowhere.
    private static func folder(of path: String, _ descriptor: Int32) -> String {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return "" }
        let bytes = path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }

    private static func join(_ folder: String, _ path: String) -> String {
        path.utf8.first == UInt8(ascii: "/") ? path : folder + path
    }

    /// Why a path leads to nothing that could be played; nil if it may.
    private static func defect(of path: String) -> String? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            return errno == ENOENT ? "does not exist" : "cannot be read: \(SystemError(errno))"
        }
        return status.st_mode & S_IFMT == S_IFDIR ? "is a directory" : nil
    }
}
