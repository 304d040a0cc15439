// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import Synchronization

/// Where log lines come together: the console at once, on the calling thread; observers afterwards, on one thread of the hub.
///
/// A line below the level costs one atomic load; its message is never built. The observers' thread starts with the first
/// observer. What they are too slow for is dropped beyond `backlogLimit` lines, and the loss is logged.
///
/// Thread: any.
public final class LogHub: Sendable {
    /// The hub of the process.
    public static let shared = LogHub()

    /// Lines that wait for observers at most.
    public static let backlogLimit = 4096

    private struct Settings {
        var isEnabled = true
        var level = LogLevel.info
        var isConsoleEnabled = true
        var console: @Sendable (String) -> Void
    }

    private struct Backlog {
        var observers: [any LogObserver] = []
        var lines: [LogInfo] = []
        var dropped = 0
        var isRunning = false
        var accepted: UInt64 = 0
        var delivered: UInt64 = 0
    }

    private let settings: Mutex<Settings>
    /// The lowest raw level that passes; `settings` in the form that every call looks at.
    private let threshold = Atomic<Int32>(LogLevel.info.rawValue)
    private let backlog = Mutex(Backlog())
    private let changed = Gate()
    private let wallClock: @Sendable () -> Int64

    /// - Parameters:
    ///   - console: writes one line; nil means standard error.
    ///   - wallClock: microseconds since 1970; nil means the machine's.
    public init(
        console: (@Sendable (String) -> Void)? = nil, wallClock: (@Sendable () -> Int64)? = nil
    ) {
        settings = Mutex(Settings(console: console ?? LogHub.writeToStandardError))
        self.wallClock = wallClock ?? LogHub.machineTime
    }

    /// Whether anything is logged at all.
    public var logEnabled: Bool {
        get { settings.withLock { $0.isEnabled } }
        set { change { $0.isEnabled = newValue } }
    }

    /// The lowest level that is logged; info at first.
    public var logLevel: LogLevel {
        get { settings.withLock { $0.level } }
        set { change { $0.level = newValue } }
    }

    /// Whether lines go to the console too.
    public var consoleLogEnabled: Bool {
        get { settings.withLock { $0.isConsoleEnabled } }
        set { change { $0.isConsoleEnabled = newValue } }
    }

    /// Writes one line, given without its line feed, on the thread that logs it; standard error at first.
    public var console: @Sendable (String) -> Void {
        get { settings.withLock { $0.console } }
        set { settings.withLock { $0.console = newValue } }
    }

    private func change(_ body: (inout Settings) -> Void) {
        settings.withLock { settings in
            body(&settings)
            threshold.store(settings.isEnabled ? settings.level.rawValue : Int32.max, ordering: .relaxed)
        }
    }

    /// Whether a line of this level would be logged.
    public func isEnabled(_ level: LogLevel) -> Bool {
        level != .none && level.rawValue >= threshold.load(ordering: .relaxed)
    }

    /// Adds an observer and holds it strongly; adding it again changes nothing.
    public func addObserver(_ observer: any LogObserver) {
        let mustStart = backlog.withLock { backlog in
            if !backlog.observers.contains(where: { $0 === observer }) { backlog.observers.append(observer) }
            defer { backlog.isRunning = true }
            return !backlog.isRunning
        }
        if mustStart { PlainThread.start("kit-log") { self.deliver() } }
    }

    /// Removes an observer; a line that is on its way may still reach it.
    public func removeObserver(_ observer: any LogObserver) {
        backlog.withLock { backlog in backlog.observers.removeAll { $0 === observer } }
        changed.signal()
    }

    /// Waits until the observers have got everything that was logged before. Not from an observer.
    public func flush() {
        let target = backlog.withLock { $0.isRunning ? $0.accepted : 0 }
        changed.wait { backlog.withLock { $0.delivered >= target } }
    }

    /// Logs a line.
    public func log(
        _ level: LogLevel, tag: String, _ message: @autoclosure () -> String, error: (any Error)? = nil,
        file: String = #fileID, line: Int = #line
    ) {
        guard isEnabled(level) else { return }
        let info = LogInfo(
            level: level, tag: tag, message: message(), timestamp: wallClock(), threadName: LogHub.threadName,
            fileName: file, line: line, error: error)
        let console = settings.withLock { $0.isConsoleEnabled ? $0.console : nil }
        console?(info.formattedString)
        let isQueued = backlog.withLock { backlog in
            guard !backlog.observers.isEmpty else { return false }
            guard backlog.lines.count < LogHub.backlogLimit else {
                backlog.dropped += 1
                return false
            }
            backlog.lines.append(info)
            backlog.accepted += 1
            return true
        }
        if isQueued { changed.signal() }
    }

    /// The observers' thread; ends when the last observer has been removed.
    private func deliver() {
        while true {
            changed.wait { backlog.withLock { !$0.lines.isEmpty || $0.dropped > 0 || $0.observers.isEmpty } }
            var (lines, observers, dropped) = backlog.withLock { backlog in
                let taken = (backlog.lines, backlog.observers, backlog.dropped)
                backlog.lines = []
                backlog.dropped = 0
                if backlog.observers.isEmpty {
                    backlog.isRunning = false
                    backlog.delivered = backlog.accepted
                }
                return taken
            }
            if observers.isEmpty { return changed.signal() }
            let count = UInt64(lines.count)
            if dropped > 0 {
                lines.append(
                    LogInfo(
                        level: .warn, tag: "LogHub",
                        message: "\(dropped) log lines were lost because an observer is too slow",
                        timestamp: wallClock(), threadName: LogHub.threadName, fileName: #fileID, line: #line,
                        error: nil))
            }
            for line in lines { for observer in observers { observer.onLog(line) } }
            backlog.withLock { $0.delivered += count }
            changed.signal()
        }
    }

    @Sendable private static func writeToStandardError(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            // A console that takes nothing more is no reason to stop playback: the line is given up.
            while unsafe !rest.isEmpty {
                let count = unsafe write(STDERR_FILENO, rest.baseAddress, rest.count)
                if count > 0 {
                    unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if count == 0 || errno != EINTR {
                    return
                }
            }
        }
    }

    @Sendable private static func machineTime() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    private static var threadName: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { buffer in
            guard let start = buffer.baseAddress, unsafe clinux_get_thread_name(start) == 0 else {
                return ""
            }
            return unsafe String(cString: start)
        }
    }
}
