// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Synchronization
import Testing

@Suite("The log hub")
struct LogHubTests {
    final class Lines: LogObserver {
        private let all = Mutex<[LogInfo]>([])
        var infos: [LogInfo] { all.withLock { $0 } }
        func onLog(_ info: LogInfo) { all.withLock { $0.append(info) } }
    }

    final class Console: Sendable {
        private let all = Mutex<[String]>([])
        var lines: [String] { all.withLock { $0 } }
        @Sendable func write(_ line: String) { all.withLock { $0.append(line) } }
    }

    @Test("shows lines at its level and above", arguments: LogLevel.allCases)
    func levels(_ level: LogLevel) {
        let console = Console()
        let hub = LogHub(console: console.write)
        hub.logLevel = level
        hub.v("t", "v")
        hub.d("t", "d")
        hub.i("t", "i")
        hub.w("t", "w")
        hub.e("t", "e")
        let all = ["V t: v", "D t: d", "I t: i", "W t: w", "E t: e"]
        #expect(console.lines == (level == .none ? [] : Array(all.dropFirst(Int(level.rawValue)))))
    }

    @Test("never builds the message of a line that is not shown")
    func lazy() {
        let hub = LogHub(console: { _ in })
        var built = 0
        func message() -> String {
            built += 1
            return ""
        }
        hub.d("t", message())
        hub.logEnabled = false
        hub.e("t", message())
        #expect(built == 0)
        hub.logEnabled = true
        hub.e("t", message())
        #expect(built == 1)
    }

    @Test("writes to the console before it returns, and only if that is wanted")
    func console() {
        let console = Console()
        let hub = LogHub(console: console.write)
        hub.i("t", "one")
        #expect(console.lines == ["I t: one"])
        let other = Console()
        hub.console = other.write
        hub.i("t", "elsewhere")
        #expect(console.lines == ["I t: one"] && other.lines == ["I t: elsewhere"])
        hub.consoleLogEnabled = false
        hub.i("t", "two")
        #expect(console.lines.count == 1)
    }

    @Test("keeps a line one line whatever it holds")
    func escapes() {
        let console = Console()
        let hub = LogHub(console: console.write)
        hub.e("p\n", "a\r\nE host: forged\u{1b}[2J\u{202e}\u{85}\t", error: PlayerError(.badData, "x\ny"))
        #expect(console.lines.count == 1)
        #expect(
            console.lines[0]
                == #"E p\n: a\r\nE host: forged\u{1B}[2J\u{202E}\u{85}\t (x\ny [decode.bad_data 4004])"#)
    }

    @Test("tells observers everything, in order, on a thread of its own")
    func observers() {
        let hub = LogHub(console: { _ in }, wallClock: { 42 })
        let lines = Lines()
        hub.addObserver(lines)
        hub.addObserver(lines)
        for number in 0..<100 { hub.i("t", "\(number)") }
        hub.flush()
        #expect(lines.infos.map(\.message) == (0..<100).map(String.init))
        #expect(lines.infos[0].timestamp == 42)
        #expect(lines.infos[0].fileName.hasSuffix("LogHubTests.swift"))
        hub.removeObserver(lines)
        hub.i("t", "unheard")
        hub.flush()
        #expect(lines.infos.count == 100)
        hub.addObserver(lines)
        hub.i("t", "heard")
        hub.flush()
        #expect(lines.infos.last?.message == "heard")
        hub.removeObserver(lines)
    }

    @Test("an observer may log and lock nobody out")
    func reentrant() {
        final class Echo: LogObserver {
            let hub: LogHub
            init(_ hub: LogHub) { self.hub = hub }
            func onLog(_ info: LogInfo) { if info.message == "once" { hub.i("t", "echo") } }
        }
        let hub = LogHub(console: { _ in })
        let lines = Lines()
        let echo = Echo(hub)
        hub.addObserver(echo)
        hub.addObserver(lines)
        hub.i("t", "once")
        hub.flush()
        hub.flush()
        #expect(lines.infos.map(\.message) == ["once", "echo"])
        hub.removeObserver(echo)
        hub.removeObserver(lines)
    }

    @Test("levels come from their names and letters and back")
    func names() {
        for level in LogLevel.allCases {
            #expect(LogLevel(level.name) == level)
            #expect(LogHub.stringToLevel(LogHub.levelToString(level).lowercased()) == level)
        }
        #expect(LogLevel("loud") == nil)
        #expect(LogLevel("") == nil)
    }
}
