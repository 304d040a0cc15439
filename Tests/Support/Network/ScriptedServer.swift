// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import Synchronization
import Testing

/// An HTTP server of this machine that answers each request as its script says, one connection after the other.
///
/// Thread: the script runs on the server's own thread.
package final class ScriptedServer: Sendable {
    package struct Request: Sendable {
        /// The path with its query.
        package var path = ""
        /// Names in lower case.
        package var headers: [String: String] = [:]

        /// Where the range asked for begins; nil if none was asked for.
        package var rangeStart: Int? {
            headers["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
        }
    }

    /// What is sent for a request, in order; then the connection is closed, unless it is kept.
    package enum Step: Sendable {
        case text(String)
        case bytes([UInt8])
        /// As far as the valve lets them pass, and as it opens.
        case through(Valve, [UInt8], from: Int)
        /// One byte every tenth of a second.
        case drip([UInt8])
        /// Nothing more, until the server ends.
        case stall
        /// Drops the connection without a farewell.
        case reset
        /// The connection stays open for another request.
        case keep
    }

    package let port: UInt16
    private let listener: Int32
    private let script: @Sendable (_ index: Int, Request) -> [Step]
    private let log = Mutex<[Request]>([])
    private let accepted = Atomic<Int>(0)
    private let readsRequests: Bool
    private let isOver = Atomic(false)
    private let thread = Mutex<MediaThread?>(nil)

    /// Answers whatever comes first, also what is no request, with a text.
    package convenience init(plainAnswer: String) throws {
        try self.init(readsRequests: false) { _, _ in [.text(plainAnswer)] }
    }

    /// - Parameters:
    ///   - readsRequests: false to answer after the first bytes.
    ///   - script: the steps for the `index`th request, counted from 0.
    package init(readsRequests: Bool = true, _ script: @escaping @Sendable (_ index: Int, Request) -> [Step]) throws {
        signal(SIGPIPE, SIG_IGN)
        self.readsRequests = readsRequests
        self.script = script
        let listener = try LoopbackListener()
        self.listener = listener.descriptor
        port = listener.port
        let started = try MediaThread("test-server") { [weak self] in
            while let server = self, server.serveNext() {}
        }
        thread.withLock { $0 = started }
    }

    /// Serves a file as a good server does.
    package convenience init(serving content: [UInt8], tag: String? = nil, through valve: Valve? = nil) throws {
        try self.init { _, request in ScriptedServer.answer(request, with: content, tag: tag, through: valve) }
    }

    deinit {
        close(listener)
    }

    /// Ends the server and its thread. To be called once, before the last reference goes.
    package func end() {
        isOver.store(true, ordering: .releasing)
        shutdown(listener, Int32(SHUT_RDWR))
        thread.withLock { $0.take() }?.join()
    }

    /// What has been asked for so far.
    package var requests: [Request] { log.withLock { $0 } }

    /// How many connections there were so far.
    package var connectionCount: Int { accepted.load(ordering: .acquiring) }

    package func url(_ path: String = "/clip.mp4") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The whole of a content, or the part of it that was asked for.
    ///
    /// - Parameters:
    ///   - end: where the connection is cut, as an offset in the content.
    ///   - valve: how far it may be sent, as an offset in the content.
    ///   - keeps: whether the connection stays open for another request.
    package static func answer(
        _ request: Request, with content: [UInt8], tag: String? = nil, until end: Int? = nil,
        through valve: Valve? = nil, keeps: Bool = false
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
        let part = Array(content[start..<max(start, min(end ?? content.count, content.count))])
        let length = "Content-Length: \(content.count - start)\r\n"
        return [
            .text(head + tagLine + length + "Connection: \(keeps ? "keep-alive" : "close")\r\n\r\n"),
            valve.map { .through($0, part, from: start) } ?? .bytes(part),
        ] + (keeps ? [.keep] : [])
    }

    package static func status(_ line: String, headers: String = "") -> [Step] {
        [.text("HTTP/1.1 \(line)\r\n\(headers)Content-Length: 0\r\nConnection: close\r\n\r\n")]
    }

    private func serveNext() -> Bool {
        let connection = accept(listener, nil, nil)
        guard connection >= 0, !isOver.load(ordering: .acquiring) else {
            if connection >= 0 { close(connection) }
            return false
        }
        accepted.add(1, ordering: .acquiringAndReleasing)
        defer { close(connection) }
        while answerNext(on: connection) {}
        return !isOver.load(ordering: .acquiring)
    }

    /// - Returns: whether the connection is for another request.
    private func answerNext(on connection: Int32) -> Bool {
        guard let request = readRequest(connection) else { return false }
        let index = log.withLock { log in
            log.append(request)
            return log.count - 1
        }
        for step in script(index, request) {
            switch step {
            case .text(let text): guard send(Array(text.utf8), to: connection) else { return false }
            case .bytes(let bytes): guard send(bytes, to: connection) else { return false }
            case .through(let valve, let bytes, let start):
                guard send(bytes, from: start, through: valve, to: connection) else { return false }
            case .drip(let bytes): guard drip(bytes, to: connection) else { return false }
            case .stall: waitForEnd(of: connection)
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                unsafe setsockopt(
                    connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            case .keep: return awaitsRequest(connection)
            }
        }
        return false
    }

    /// Waits for another request; false if the other side closes or the server ends first.
    private func awaitsRequest(_ connection: Int32) -> Bool {
        waitForEnd(of: connection)
        return !isOver.load(ordering: .acquiring)
    }

    /// Until the other side has closed or said something, or the server ends.
    private func waitForEnd(of connection: Int32) {
        while !hasEnded(connection, withinMilliseconds: 20) {}
    }

    private func hasEnded(_ connection: Int32, withinMilliseconds limit: Int32) -> Bool {
        var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        if isOver.load(ordering: .acquiring) { return true }
        return unsafe poll(&entry, 1, limit) > 0
    }

    private func send(_ bytes: [UInt8], from start: Int, through valve: Valve, to connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let allowed = min(bytes.count, valve.limit - start)
            if allowed > sent {
                guard send(Array(bytes[sent..<allowed]), to: connection) else { return false }
                sent = allowed
            } else {
                valve.note(waitingAt: start + sent)
                if hasEnded(connection, withinMilliseconds: 5) { return false }
            }
        }
        return true
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

    private func drip(_ bytes: [UInt8], to connection: Int32) -> Bool {
        for byte in bytes {
            guard !isOver.load(ordering: .acquiring), send([byte], to: connection) else { return false }
            usleep(100_000)
        }
        return true
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
