// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import Synchronization
import TestSupport
import Testing

/// Sources behind HTTP: what is asked, what is tried again, what is given up.
@Suite struct NetworkTests {
    private static let clip = [UInt8](FileManager.default.contents(atPath: Fixture.path("clip.mp4")) ?? Data())
    /// Its index is behind its pictures.
    private static let indexLast = NetworkTests.withIndexLast(clip)

    /// The frames and the end that the same clip has from disk.
    private static func expectWhole(_ run: PlayerRun, _ comment: Comment? = nil) {
        #expect(run.states == [.preparing, .prepared, .playing, .completed], comment)
        #expect(run.counts.presented == 50, comment)
        #expect(run.failures.isEmpty, comment)
    }

    @Test func aClipBehindHTTPPlaysAsFromDisk() throws {
        let server = try ScriptedServer(serving: Self.clip)
        let run = try PlayerRun.play(server)
        Self.expectWhole(run)
        #expect(run.media?.isSeekable == true)
        #expect(server.requests.count == 1)
    }

    @Test func whatTheUserSetIsAskedWithEveryRequest() throws {
        var configuration = PlayerConfiguration()
        configuration.userAgent = "probe/1"
        configuration.referer = "http://page/"
        configuration.httpHeaders = [.init("Authorization", "Bearer hunter2"), .init("X-Empty", "")]
        let server = try ScriptedServer(serving: Self.indexLast)
        let run = try PlayerRun.play(server, configuration)
        Self.expectWhole(run)
        #expect(server.requests.count > 1)
        for request in server.requests {
            #expect(request.headers["user-agent"] == "probe/1")
            #expect(request.headers["referer"] == "http://page/")
            #expect(request.headers["authorization"] == "Bearer hunter2")
            #expect(request.headers["x-empty"]?.isEmpty == true)
        }
    }

    @Test func whatIsFarFromBeingPlayedWaitsAtTheServer() throws {
        // Four megabytes, of which a player with so little room holds a part.
        let server = try ScriptedServer(
            serving: Matroska.head + (0..<12).flatMap { Matroska.cluster($0, hasSound: true) })
        var configuration = PlayerConfiguration()
        configuration.maxBufferBytes = 1 << 20
        let run = try PlayerRun.play(server, path: "/raw.mkv", configuration)
        #expect(run.states.last == .completed)
        #expect(run.counts.presented == 12)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        PlayerConfiguration.HTTPHeader("X-A", "hunter2\r\nX-B: 1"), .init("X-A", "hunter2\0"), .init("X A", "hunter2"),
        .init("", "hunter2"), .init("X:", "hunter2"), .init("Range", "hunter2"),
    ])
    func aHeaderThatCannotBeSentIsRefusedWithoutItsValue(_ header: PlayerConfiguration.HTTPHeader) throws {
        var configuration = PlayerConfiguration()
        configuration.httpHeaders = [header]
        let run = PlayerRun()
        try run.playToEnd("http://127.0.0.1:1/clip.mp4") { $0.configuration = configuration }
        #expect(run.failures.map(\.error.code) == [.invalidConfiguration])
        #expect(run.failures.allSatisfy { !$0.error.description.contains("hunter2") })
    }

    // MARK: Tries

    @Test(arguments: ["408 Request Timeout", "429 Too Many Requests", "500 Internal Server Error", "503 Busy"])
    func aStatusThatMayPassIsTriedAgain(_ status: String) throws {
        let server = try ScriptedServer { (index, request) -> [ScriptedServer.Step] in
            index < 2 ? ScriptedServer.status(status) : ScriptedServer.answer(request, with: Self.clip)
        }
        let run = try PlayerRun.play(server)
        Self.expectWhole(run)
        #expect(run.retries == ["1 status \(status.prefix(3))", "2 status \(status.prefix(3))"])
        // Two waits of a second each.
        #expect(run.timeSkipped >= 1_900_000)
    }

    @Test(arguments: ["400 Bad", "401 Who", "403 No", "404 Not Found", "410 Gone"])
    func aStatusThatStaysIsNotTriedAgain(_ status: String) throws {
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in ScriptedServer.status(status) }
        let run = try PlayerRun.play(server)
        #expect(run.failures.map(\.error.code) == [.httpStatus])
        #expect(run.failures.first?.error.message.contains(status.prefix(3)) == true)
        #expect(run.retries.isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test func triesEndWithTheirCount() throws {
        var configuration = PlayerConfiguration()
        configuration.networkRetryCount = 3
        configuration.networkRetryInterval = .seconds(60)
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in ScriptedServer.status("503 Busy") }
        let run = try PlayerRun.play(server, configuration)
        #expect(run.failures.map(\.error.code) == [.httpStatus])
        #expect(server.requests.count == 4)
        #expect(run.timeSkipped >= 179_000_000)
    }

    @Test func aServerThatIsNotThereIsTriedAgain() throws {
        let run = PlayerRun()
        try run.playToEnd("http://127.0.0.1:1/clip.mp4")
        #expect(run.failures.map(\.error.code) == [.connectFailed])
        #expect(run.retries == ["1 no connection", "2 no connection"])
    }

    @Test func aConnectionThatBreaksIsResumedWhereItBroke() throws {
        let server = try ScriptedServer { (index, request) -> [ScriptedServer.Step] in
            // 4,000 bytes at a time: the count of tries begins anew with each.
            ScriptedServer.answer(request, with: Self.clip, tag: "a", until: (request.rangeStart ?? 0) + 4000)
        }
        let run = try PlayerRun.play(server)
        Self.expectWhole(run)
        #expect(server.requests.map(\.rangeStart) == [0, 4000, 8000, 12000, 16000])
        #expect(Set(run.retries) == ["1 the connection ended early"])
    }

    @Test func aResetIsResumedToo() throws {
        let server = try ScriptedServer { (index, request) -> [ScriptedServer.Step] in
            index == 0
                ? Array(ScriptedServer.answer(request, with: Self.clip, until: 5000)) + [.reset]
                : ScriptedServer.answer(request, with: Self.clip)
        }
        Self.expectWhole(try PlayerRun.play(server))
    }

    @Test func aServerThatFallsSilentIsAskedAgain() throws {
        var configuration = PlayerConfiguration()
        configuration.networkTimeout = .milliseconds(100)
        // Where the machine is busy the server may be silent more often than it is told to be.
        configuration.networkRetryCount = 100
        let server = try ScriptedServer { (index, request) -> [ScriptedServer.Step] in
            index == 0
                ? ScriptedServer.answer(request, with: Self.clip, until: 5000) + [.stall]
                : ScriptedServer.answer(request, with: Self.clip)
        }
        let run = try PlayerRun.play(server, configuration)
        Self.expectWhole(run)
        #expect(run.retries.first == "1 nothing came in time")
        #expect(run.retries.allSatisfy { $0.hasSuffix(" nothing came in time") })
    }

    @Test(arguments: [0, 5000])
    func aServerThatOnlyDripsIsSilent(_ end: Int) throws {
        var configuration = PlayerConfiguration()
        configuration.networkTimeout = .milliseconds(100)
        configuration.networkRetryCount = 0
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            ScriptedServer.answer(request, with: Self.clip, until: end) + [.drip(Array(Self.clip[end...]))]
        }
        let run = try PlayerRun.play(server, configuration)
        #expect(run.failures.map(\.error.code) == [.timedOut])
        #expect(run.states.last == .error)
    }

    @Test func aConnectionThatBringsNextToNothingDoesNotRenewTheTries() throws {
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            ScriptedServer.answer(request, with: Self.clip, until: (request.rangeStart ?? 0) + 100)
        }
        let run = try PlayerRun.play(server)
        #expect(run.failures.map(\.error.code) == [.readFailed])
        #expect(run.retries == ["1 the connection ended early", "2 the connection ended early"])
    }

    @Test func contentThatChangesMeanwhileIsNotMixed() throws {
        for (first, second) in [(Self.clip, Self.clip + [0]), (Self.clip, Self.clip)] {
            let server = try ScriptedServer { (index, request) -> [ScriptedServer.Step] in
                index == 0
                    ? ScriptedServer.answer(request, with: first, tag: "a", until: 5000)
                    : ScriptedServer.answer(request, with: second, tag: "b")
            }
            let run = try PlayerRun.play(server)
            #expect(run.failures.last?.error.code == .sourceChanged)
            #expect(run.states.last == .error)
        }
    }

    @Test func aFileThatGoesAwayInMidPlayIsToldByItsStatus() throws {
        let server = try ScriptedServer { (index, request) -> [ScriptedServer.Step] in
            index == 0
                ? ScriptedServer.answer(request, with: Self.clip, until: Self.clip.count / 2)
                : ScriptedServer.status("404 Not Found")
        }
        let run = try PlayerRun.play(server)
        #expect(run.failures.last?.error.code == .httpStatus)
        #expect(run.counts.presented > 0)
        #expect(run.states.last == .error)
    }

    @Test func theWaitBetweenTriesEndsWithThePlayback() throws {
        let clock = HandClock()
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in ScriptedServer.status("503 Busy") }
        defer { server.end() }
        let run = PlayerRun(clock: clock)
        try run.play(server.url())
        run.wait("the first retry") { $0.type == .retry }
        #expect(clock.sleeps(0))
        run.player.stop()
        run.collect()
        #expect(run.states == [.preparing, .stopped])
        run.expectNothingParked()
        #expect(server.requests.count == 1)
    }

    // MARK: Odd servers

    @Test func aServerThatCannotBeginInTheMiddleIsReadFromTheStart() throws {
        let whole: ScriptedServer.Step = .bytes(Self.indexLast)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Self.indexLast.count)\r\nConnection: close\r\n"
        // One says so, the other promises what it does not do.
        for promise in ["", "Accept-Ranges: bytes\r\n"] {
            let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in
                [.text(head + promise + "\r\n"), whole]
            }
            let run = try PlayerRun.play(server)
            if promise.isEmpty {
                #expect(run.states.last == .completed || run.states.last == .error)
                #expect(run.media?.isSeekable != true)
            } else {
                Self.expectWhole(run)
            }
        }
    }

    @Test func contentWithoutLengthPlaysAndCannotBeSought() throws {
        let chunk = "\(String(Self.clip.count, radix: 16))\r\n"
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in
            [
                .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunk),
                .bytes(Self.clip), .text("\r\n0\r\n\r\n"),
            ]
        }
        let run = try PlayerRun.play(server)
        Self.expectWhole(run)
        #expect(run.media?.isSeekable == false)
    }

    @Test func contentWithoutLengthThatBreaksOffIsNotResumed() throws {
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in
            [
                .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2000\r\n"),
                .bytes(Array(Self.clip.prefix(0x1000))),
            ]
        }
        let run = try PlayerRun.play(server)
        #expect(run.states.last == .error)
        #expect(run.failures.last?.error.code == .readFailed)
    }

    @Test func aLengthThatIsTooLongFailsTyped() throws {
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            request.rangeStart.map { $0 < Self.clip.count } ?? true
                ? [
                    .text(
                        "HTTP/1.1 206 Partial\r\nContent-Range: bytes \(request.rangeStart ?? 0)-99999/100000\r\n"
                            + "Connection: close\r\n\r\n"),
                    .bytes(Array(Self.clip.dropFirst(request.rangeStart ?? 0))),
                ] : ScriptedServer.status("416 No", headers: "Content-Range: bytes */100000\r\n")
        }
        let run = try PlayerRun.play(server)
        #expect(run.counts.presented == 50)
        #expect(run.states.last == .completed || run.states.last == .error)
    }

    @Test(arguments: [
        ("HTTP/1.1 206 Partial\r\nContent-Range: bytes 7-99/100\r\nContent-Length: 93\r\n\r\nabc", ErrorCode.badAnswer),
        ("HTTP/1.1 206 Partial\r\nContent-Range: bytes 9-2/3\r\nContent-Length: 3\r\n\r\nabc", .badAnswer),
        ("HTTP/1.1 206 Partial\r\nContent-Length: 3\r\n\r\nabc", .badAnswer),
        ("This is no HTTP at all\r\n\r\n", .badAnswer),
        ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", .badAnswer),
        (
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<html><body>Not here</body></html>",
            .notMedia
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", .emptySource),
        ("HTTP/1.1 204 No Content\r\n\r\n", .emptySource),
        ("HTTP/1.1 416 No\r\nContent-Range: bytes */0\r\nContent-Length: 0\r\n\r\n", .emptySource),
        ("HTTP/1.1 304 Not Modified\r\n\r\n", .redirectRefused),
        ("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n", .redirectRefused),
        ("HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", .redirectRefused),
        // A playlist that leads to a file of this machine.
        (
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
            .corrupt
        ),
    ])
    func anAnswerThatBringsNoMediaSaysWhy(_ answer: String, _ code: ErrorCode) throws {
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in [.text(answer)] }
        let run = try PlayerRun.play(server)
        #expect(run.failures.map(\.error.code) == [code])
        #expect(run.failures.allSatisfy { !$0.error.hint.isEmpty })
        #expect(server.requests.count <= 9)
    }

    @Test(arguments: [(name: "X: ", value: "x", count: 10 << 20), (name: "", value: "X: y\r\n", count: 1 << 20)])
    func headersThatDoNotEndAreABadAnswer(name: String, value: String, count: Int) throws {
        let head = "HTTP/1.1 200 OK\r\n" + name + String(repeating: value, count: count)
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in [.text(head)] }
        let run = try PlayerRun.play(server)
        #expect(run.failures.map(\.error.code) == [.badAnswer])
        #expect(server.requests.count == 1)
    }

    @Test func aRedirectIsFollowedOnce() throws {
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            request.path == "/clip.mp4"
                ? ScriptedServer.status("302 Found", headers: "Location: /there.mp4\r\n")
                : ScriptedServer.answer(request, with: Self.indexLast)
        }
        Self.expectWhole(try PlayerRun.play(server))
        #expect(server.requests.count { $0.path == "/clip.mp4" } == 1)
    }

    @Test func credentialsStayWithTheServerOfTheSource() throws {
        // With the index behind the pictures several requests are needed.
        let other = try ScriptedServer(serving: Self.indexLast)
        defer { other.end() }
        let server = try ScriptedServer { (_, _) -> [ScriptedServer.Step] in
            ScriptedServer.status("302 Found", headers: "Location: \(other.url())\r\n")
        }
        var configuration = PlayerConfiguration()
        configuration.httpHeaders = [.init("Authorization", "hunter2"), .init("Cookie", "hunter2"), .init("X-A", "1")]
        Self.expectWhole(try PlayerRun.play(server, configuration))
        #expect(server.requests.map { $0.headers["authorization"] } == ["hunter2"])
        #expect(other.requests.count > 1)
        for request in other.requests {
            #expect(request.headers["authorization"] == nil)
            #expect(request.headers["cookie"] == nil)
            #expect(request.headers["x-a"] == "1")
        }
    }

    @Test func packedContentIsUnpacked() throws {
        // A gzip member whose one block is stored as it is.
        let content = Array(Self.clip.prefix(60_000))
        let length = UInt16(content.count)
        let (low, high) = (UInt8(length & 0xFF), UInt8(length >> 8))
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, low, high, ~low, ~high]
        let packed = head + content + NetworkTests.checksum(content) + [low, high, 0, 0]
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            #expect(request.headers["accept-encoding"] == "identity")
            return [
                .text(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n"
                        + "Accept-Ranges: bytes\r\nConnection: close\r\n\r\n"), .bytes(packed),
            ]
        }
        let run = try PlayerRun.play(server)
        Self.expectWhole(run)
        #expect(run.media?.isSeekable == false)
    }

    @Test(arguments: [
        ("http://127.0.0.1:99999/clip.mp4", ErrorCode.invalidSource), ("http://[::/clip.mp4", .invalidSource),
    ])
    func anAddressThatCannotBeOneIsRefused(_ url: String, _ code: ErrorCode) throws {
        let run = PlayerRun()
        try run.playToEnd(url)
        #expect(run.failures.map(\.error.code) == [code])
        #expect(run.retries.isEmpty)
    }

    @Test func aServerWithoutASecureConnectionIsToldAsThat() throws {
        let server = try ScriptedServer(plainAnswer: "HTTP/1.1 400 Bad Request\r\n\r\n")
        defer { server.end() }
        let run = PlayerRun()
        try run.playToEnd("https://127.0.0.1:\(server.port)/clip.mp4")
        #expect(run.failures.map(\.error.code) == [.tlsFailed])
    }

    // MARK: The way out

    @Test("B49: stopping reaches a server that falls silent", arguments: ["never", "head", "half"])
    func stoppingReachesAServerThatFallsSilent(_ when: String) throws {
        let server = try ScriptedServer { (_, request) -> [ScriptedServer.Step] in
            switch when {
            case "never": [.stall]
            case "head": [.text("HTTP/1.1 200 OK\r\nContent-Le"), .stall]
            default: ScriptedServer.answer(request, with: Self.clip, until: Self.clip.count / 2) + [.stall]
            }
        }
        defer { server.end() }
        let run = PlayerRun(.realTime)
        try run.play(server.url()) { $0.configuration.networkTimeout = .seconds(600) }
        run.wait("it to begin") { when == "half" ? $0.type == .firstVideoFrame : $0.playerState == .preparing }
        run.player.stop()
        run.expectNothingParked()
    }

    // MARK: Content

    /// Moves the index of an MP4 behind its pictures, with the places in it left as they were: the pictures move to the front by
    /// as much, so a box of the index's size goes before them.
    private static func withIndexLast(_ bytes: [UInt8]) -> [UInt8] {
        var (place, index, rest) = (0, [UInt8](), [UInt8]())
        while place + 8 <= bytes.count {
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            let box = bytes[place..<min(place + max(8, size), bytes.count)]
            if box[(box.startIndex + 4)..<(box.startIndex + 8)].elementsEqual("moov".utf8) {
                index = Array(box)
                rest += Array(box.prefix(4)) + Array("free".utf8) + [UInt8](repeating: 0, count: box.count - 8)
            } else {
                rest += box
            }
            place += box.count
        }
        // Far enough behind that it is asked for rather than read up to.
        let gap = 400_000
        let size = (0..<4).map { UInt8(truncatingIfNeeded: gap >> (24 - 8 * $0)) }
        return rest + size + Array("free".utf8) + [UInt8](repeating: 0, count: gap - 8) + index
    }

    /// CRC-32, little-endian, as gzip has it.
    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        sum = ~sum
        return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
    }
}
