// SPDX-License-Identifier: Apache-2.0

import Foundation
import PlayerKit
import TestSupport
import Testing

@Suite("A list of a feed is read before anything plays")
struct FeedListTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["a.mp4", "#b.mp4", " c.mp4", "-"] { _ = try directory.write([0], to: name) }
    }

    /// Reads what a file of the directory holds.
    private func list(_ bytes: some Sequence<UInt8>, named name: String = "list.txt") throws -> FeedList {
        let path = try directory.write(bytes, to: name)
        return try read(path)
    }

    private func read(_ path: String) throws -> FeedList {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        return try FeedList(descriptor: file.fileDescriptor, path: path)
    }

    @Test("sources are lines; comments, blank lines, marks and ends of other systems are no part of them")
    func lines() throws {
        let text =
            "\u{FEFF}# a feed\r\n\r\n  a.mp4 \r\n\t\nhttp://host/x.mp4?k=v#f\nfile://\(directory.file("a.mp4"))\na.mp4"
        let local = directory.file("a.mp4")
        #expect(
            try list(text.utf8).sources == [local, "http://host/x.mp4?k=v#f", "file://\(local)", local])
    }

    @Test("a relative path is relative to the list's folder, an absolute one stays")
    func folders() throws {
        let text = "a.mp4\n\(directory.file("a.mp4"))\n./#b.mp4\n"
        #expect(
            try list(text.utf8).sources
                == [directory.file("a.mp4"), directory.file("a.mp4"), directory.file("./#b.mp4")])
    }

    @Test("a list that comes through a pipe is relative to the working directory")
    func pipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("\(directory.file("a.mp4"))\nnowhere.mp4\n".utf8))
        try pipe.fileHandleForWriting.close()
        let error = #expect(throws: InputFailure.self) {
            try FeedList(descriptor: pipe.fileHandleForReading.fileDescriptor, path: "/dev/fd/63")
        }
        #expect(error?.line == 2)
        #expect(error?.message == "'nowhere.mp4' does not exist")
        #expect(error?.hint.contains("the working directory") == true)
    }

    @Test("the text of a list reads as the same sources from standard input")
    func roundTrip() throws {
        let sources = try list("a.mp4\nhttp://host/x.mp4\n".utf8).sources
        let again = Pipe()
        try again.fileHandleForWriting.write(contentsOf: Data(try list("a.mp4\nhttp://host/x.mp4\n".utf8).text.utf8))
        try again.fileHandleForWriting.close()
        #expect(try FeedList(descriptor: again.fileHandleForReading.fileDescriptor, path: nil).sources == sources)
    }

    struct Bad: CustomTestStringConvertible, Sendable {
        var what: String
        var bytes: [UInt8]
        var line: Int
        var message: String

        init(_ what: String, _ text: String, line: Int, _ message: String) {
            self.init(what, bytes: Array(text.utf8), line: line, message)
        }

        init(_ what: String, bytes: [UInt8], line: Int, _ message: String) {
            (self.what, self.bytes, self.line, self.message) = (what, bytes, line, message)
        }

        var testDescription: String { what }
    }

    @Test(
        "what is no list is named with its line and what to do",
        arguments: [
            Bad("empty", "", line: 1, "the list names no source"),
            Bad("only comments", "# a\n\n  \n#b", line: 4, "the list names no source"),
            Bad("a NUL", "a.mp4\na\0b\n", line: 2, "the line has a NUL byte, so this is no text"),
            Bad("not UTF-8", bytes: Array("# x\n".utf8) + [0x66, 0xff, 0x0a], line: 2, "the line is not UTF-8"),
            Bad("a missing file", "a.mp4\n\nnone.mp4\n", line: 3, "none.mp4' does not exist"),
            Bad("a folder in it", "a.mp4\n.\n", line: 2, "' is a directory"),
            Bad("a file as a folder", "a.mp4/x\n", line: 1, "cannot be read: Not a directory"),
            Bad("standard input in it", "a.mp4\n-\n", line: 2, "standard input can be read once only"),
            Bad("a URL of nobody", "a.mp4\nhttp://\n", line: 2, "the URL names nothing that can be opened"),
            Bad("a URL of a path alone", "https:///x.mp4\n", line: 1, "the URL names nothing that can be opened"),
            Bad("a file of another host", "file://host/x.mp4\n", line: 1, "the URL names nothing that can be opened"),
            Bad("another protocol", "# x\nftp://x/y.mp4\n", line: 2, "the protocol ftp is not supported"),
            Bad("a line without end", bytes: .init(repeating: 0x61, count: 70_000), line: 1, "longer than 65536 bytes"),
            Bad(
                "a long line", "# x\n" + String(repeating: "a", count: 70_000) + "\n", line: 2,
                "longer than 65536 bytes"),
        ])
    func bad(_ bad: Bad) {
        let error = #expect(throws: InputFailure.self) { try list(bad.bytes) }
        #expect(error?.line == bad.line)
        #expect(error?.message.contains(bad.message) == true, "\(error?.message ?? "")")
        #expect(error?.hint.isEmpty == false)
    }

    @Test("a directory is no list")
    func aDirectory() {
        let error = #expect(throws: InputFailure.self) { try read(directory.path) }
        #expect(error?.message == "it cannot be read: Is a directory")
    }

    @Test("a list without end is given up")
    func endless() {
        let line = "#" + String(repeating: "x", count: 9_999) + "\n"
        let text = String(repeating: line, count: 1_700)
        let error = #expect(throws: InputFailure.self) { try list(Data(text.utf8)) }
        #expect(error?.message == "the list is longer than 16 MiB")
    }
}
