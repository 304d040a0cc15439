// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import JSONText
package import MediaCore

/// Reads an event log line by line, as far as it has come, in bounded memory.
///
/// Times are as they stand; `ControllerTimeline` clamps. Events of unknown names and unknown keys are passed over.
///
/// Thread: one at a time.
package struct EventLogReader {
    private static let chunkSize = 1 << 16

    private let chunks: () throws -> [UInt8]
    private let keepGoing: Bool
    private let scanner = EventLineScanner()
    private let parser = EventLineParser()
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var hasSchema = false

    /// Lines taken so far.
    package private(set) var line = 0
    /// Lines that were malformed and passed over.
    package private(set) var skippedLines: UInt64 = 0
    /// Events whose name this version does not know.
    package private(set) var unknownEvents: UInt64 = 0

    /// - Parameters:
    ///   - keepGoing: pass over malformed lines instead of throwing.
    ///   - chunks: the log's next bytes, any number of them; none at the end.
    package init(keepGoing: Bool = false, chunks: @escaping () throws -> [UInt8]) {
        self.keepGoing = keepGoing
        self.chunks = chunks
    }

    /// Reads an open file, pipe or socket; the caller closes it.
    ///
    /// - Parameter interrupt: once it is raised, the log ends where it is, whatever may still come.
    package init(descriptor: Int32, keepGoing: Bool = false, interrupt: EventSignal) {
        self.init(keepGoing: keepGoing) {
            // poll would wait for ever on what is no descriptor.
            guard descriptor >= 0 else { throw ReadFailure(status: EBADF) }
            while true {
                var entries = [
                    pollfd(fd: interrupt.descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                ]
                if unsafe poll(&entries, 2, -1) < 0, errno == EINTR { continue }
                if entries[0].revents != 0 { return [] }
                var status = 0
                let bytes = unsafe [UInt8](unsafeUninitializedCapacity: EventLogReader.chunkSize) { storage, count in
                    status = unsafe read(descriptor, storage.baseAddress, storage.count)
                    count = max(0, status)
                }
                if status >= 0 { return bytes }
                if errno != EINTR { throw ReadFailure(status: errno) }
            }
        }
    }

    private struct ReadFailure: Error, CustomStringConvertible {
        var status: Int32
        var description: String {
            unsafe strerror(status).map { unsafe String(cString: $0) } ?? "error \(status)"
        }
    }

    /// The next event, nil at the end.
    ///
    /// - Throws: for a log that cannot be read or is of another schema, always; for a malformed line unless `keepGoing`.
    package mutating func next() throws(EventLogError) -> PlayerEvent? {
        while let range = try nextLine() {
            if !hasSchema {
                try checkSchema(buffer.span.extracting(range))
                hasSchema = true
                continue
            }
            do throws(EventLogError) {
                guard !range.isEmpty else { throw tooLong }
                if let event = scanner.scan(buffer.span.extracting(range)) { return event }
                switch try parser.parse(buffer.span.extracting(range), line: line) {
                case .event(let event): return event
                case .pool: continue
                case .unknown: unknownEvents += 1
                }
            } catch {
                guard keepGoing else { throw error }
                skippedLines += 1
            }
        }
        if !hasSchema { throw notALog("it is empty") }
        return nil
    }

    private func checkSchema(_ text: Span<UInt8>) throws(EventLogError) {
        let value = try? JSONReader(maximumDepth: 8).read(text)
        switch value?["schema"]?.string {
        case EventLog.schema?: return
        case let other?: throw notALog("its schema is \"\(other.prefix(64))\"")
        case nil: throw notALog("its first line is not {\"schema\":\"\(EventLog.schema)\"}")
        }
    }

    private func notALog(_ reason: String) -> EventLogError {
        EventLogError(
            line: max(1, line), message: "this is not an event log of schema \(EventLog.schema): \(reason)",
            hint: "Give a file that was written with --record.")
    }

    private var tooLong: EventLogError {
        EventLogError(
            line: line, message: "the line is longer than \(EventLog.longestLine) bytes",
            hint: EventLineParser.keepGoingHint)
    }

    // MARK: Lines

    /// The next line that is not blank, without its line feed; an empty range stands for one that is too long.
    private mutating func nextLine() throws(EventLogError) -> Range<Int>? {
        while let range = try nextRawLine() {
            line += 1
            let isBlank = buffer[range].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
            if range.count > EventLog.longestLine { return range.lowerBound..<range.lowerBound }
            if !isBlank { return range }
        }
        return nil
    }

    private func lineFeed(from start: Int) -> Int? {
        unsafe buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + start, 0x0a, bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    /// Of a line that is too long only the first bytes are kept.
    private mutating func nextRawLine() throws(EventLogError) -> Range<Int>? {
        var scanned = position
        var start = position
        var isCut = false
        while true {
            if let feed = lineFeed(from: scanned) {
                position = feed + 1
                return isCut ? start..<(start + EventLog.longestLine + 1) : start..<feed
            }
            if isAtEnd {
                position = buffer.count
                let isEmpty = start == buffer.count && !isCut
                return isEmpty ? nil : isCut ? start..<(start + EventLog.longestLine + 1) : start..<buffer.count
            }
            buffer.removeSubrange(0..<start)
            start = 0
            if buffer.count > EventLog.longestLine {
                // A line that nobody would pass over need not be looked at to its end, if it has one.
                if !keepGoing || !hasSchema {
                    line += 1
                    throw hasSchema ? tooLong : notALog("its first line is longer than \(EventLog.longestLine) bytes")
                }
                isCut = true
                buffer.removeSubrange((EventLog.longestLine + 1)...)
            }
            scanned = buffer.count
            position = 0
            do {
                let chunk = try chunks()
                isAtEnd = chunk.isEmpty
                buffer.append(contentsOf: chunk)
            } catch {
                throw EventLogError(
                    line: line + 1, message: "the log cannot be read: \(error)", hint: "Check the file and try again.")
            }
        }
    }
}
