// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import Synchronization
import Testing

/// An HTTP server of this machine that answers each request as its script says, one connection after the other.
///
/// Thread: the script runs on the server's own thread.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        /// The path with its query.
        var path = ""
        /// Names in lower case.
        var headers: [String: String] = [:]

        /// Where the range asked for begins; nil if none was asked for.
        var rangeStart: Int? {
            headers["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
        }
    }

    /// What is sent for a request, in order; then the connection is closed.
    enum Step: Sendable {
        case text(String)
        case bytes([UInt8])
        /// Nothing more, until the server ends.
        case stall
        /// Drops the connection without a farewell.
        case reset
    }

    let port: UInt16
    private let listener: Int32
    private let script: @Sendable (_ index: Int, Request) -> [Step]
    private let log = Mutex<[Request]>([])
    private let readsRequests: Bool
    private let isOver = Atomic(false)
    private let thread = Mutex<MediaThread?>(nil)

    /// Answers whatever comes first, also what is no request, with a text.
    convenience init(plainAnswer: String) throws {
        try self.init(readsRequests: false) { _, _ in [.text(plainAnswer)] }
    }

    /// - Parameters:
    ///   - readsRequests: false to answer after the first bytes.
    ///   - script: the steps for the `index`th request, counted from 0.
    init(readsRequests: Bool = true, _ script: @escaping @Sendable (_ index: Int, Request) -> [Step]) throws {
        signal(SIGPIPE, SIG_IGN)
        self.readsRequests = readsRequests
        self.script = script
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(isBound)
        let started = try MediaThread("test-server") { [weak self] in
            while let server = self, server.serveNext() {}
        }
        thread.withLock { $0 = started }
    }

    /// Serves a file as a good server does.
    convenience init(serving content: [UInt8], tag: String? = nil) throws {
        try self.init { _, request in ScriptedServer.answer(request, with: content, tag: tag) }
    }

    deinit {
        close(listener)
    }

    /// Ends the server and its thread. To be called once, before the last reference goes.
    func end() {
        isOver.store(true, ordering: .releasing)
        shutdown(listener, Int32(SHUT_RDWR))
        thread.withLock { $0.take() }?.join()
    }

    /// What has been asked for so far.
    var requests: [Request] { log.withLock { $0 } }

    func url(_ path: String = "/clip.mp4") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The whole of a content, or the part of it that was asked for.
    static func answer(
        _ request: Request, with content: [UInt8], tag: String? = nil, until end: Int? = nil
    ) -> [Step] {
        let start = request.rangeStart ?? 0
        let tagLine = tag.map { "ETag: \"\($0)\"\r\n" } ?? ""
        guard start < content.count else {
            return [
                .text(
                    "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */\(content.count)\r\n\(tagLine)"
                        + "Content-Length: 0\r\nConnection: close\r\n\r\n")
            ]
        }
        let head =
            request.rangeStart == nil
            ? "HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\n"
            : "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n"
        return [
            .text(head + tagLine + "Content-Length: \(content.count - start)\r\nConnection: close\r\n\r\n"),
            .bytes(Array(content[start..<max(start, min(end ?? content.count, content.count))])),
        ]
    }

    static func status(_ line: String, headers: String = "") -> [Step] {
        [.text("HTTP/1.1 \(line)\r\n\(headers)Content-Length: 0\r\nConnection: close\r\n\r\n")]
    }

    private func serveNext() -> Bool {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, !isOver.load(ordering: .acquiring) else {
            if connection >= 0 { close(connection) }
            return false
        }
        defer { close(connection) }
        guard let request = readRequest(connection) else { return true }
        let index = log.withLock { log in
            log.append(request)
            return log.count - 1
        }
        for step in script(index, request) {
            switch step {
            case .text(let text): guard send(Array(text.utf8), to: connection) else { return true }
            case .bytes(let bytes): guard send(bytes, to: connection) else { return true }
            case .stall: waitForEnd(of: connection)
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                unsafe setsockopt(
                    connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            }
        }
        return true
    }

    /// Until the other side has closed, or the server ends.
    private func waitForEnd(of connection: Int32) {
        var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        while !isOver.load(ordering: .acquiring) {
            if unsafe poll(&entry, 1, 20) > 0 { return }
        }
    }

    private func readRequest(_ connection: Int32) -> Request? {
        var text: [UInt8] = []
        while !text.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var byte: UInt8 = 0
            guard unsafe recv(connection, &byte, 1, 0) == 1 else { return nil }
            text.append(byte)
            if !readsRequests { return Request() }
        }
        var request = Request()
        for (index, line) in String(decoding: text, as: UTF8.self).components(separatedBy: "\r\n").enumerated() {
            if index == 0 {
                request.path = line.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            } else if let colon = line.firstIndex(of: ":") {
                request.headers[line[..<colon].lowercased()] =
                    line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            }
        }
        return request
    }

    private func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Foundation.send(connection, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
