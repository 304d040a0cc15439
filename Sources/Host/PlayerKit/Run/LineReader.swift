// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Sessions

/// Reads lines of text from a descriptor, each of them bounded.
struct LineReader {
    private static let chunkSize = 1 << 16

    private let descriptor: Int32
    private let longestLine: Int
    private let hint: String
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    /// Of the line that was read last; counts from 1.
    private(set) var number = 0
    /// Bytes of all lines that were read, with their ends.
    private(set) var byteCount = 0

    /// - Parameters:
    ///   - descriptor: its owner closes it.
    ///   - longestLine: in bytes, without its end.
    ///   - hint: what should have been given.
    init(descriptor: Int32, longestLine: Int, hint: String) {
        self.descriptor = descriptor
        self.longestLine = longestLine
        self.hint = hint
    }

    /// The next line without its line feed; nil at the end. Bad bytes are replaced.
    mutating func next() throws(InputFailure) -> String? {
        try nextBytes().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The next line as it is, without its line feed; nil at the end.
    mutating func nextBytes() throws(InputFailure) -> ArraySlice<UInt8>? {
        var scanned = start
        while true {
            if let feed = buffer[scanned...].firstIndex(of: 0x0a) { return try take(to: feed, endLength: 1) }
            if isAtEnd { return start < buffer.count ? try take(to: buffer.count, endLength: 0) : nil }
            buffer.removeSubrange(..<start)
            start = 0
            scanned = buffer.count
            guard scanned <= longestLine else { throw tooLong }
            let chunk = try read()
            isAtEnd = chunk.isEmpty
            buffer += chunk
        }
    }

    private mutating func take(to end: Int, endLength: Int) throws(InputFailure) -> ArraySlice<UInt8> {
        guard end - start <= longestLine else { throw tooLong }
        defer { start = end + endLength }
        number += 1
        byteCount += end - start + endLength
        return buffer[start..<end]
    }

    private var tooLong: InputFailure {
        InputFailure(line: number + 1, message: "the line is longer than \(longestLine) bytes", hint: hint)
    }

    private func read() throws(InputFailure) -> [UInt8] {
        while true {
            var status = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: LineReader.chunkSize) { storage, count in
                status = unsafe Glibc.read(descriptor, storage.baseAddress, storage.count)
                count = max(0, status)
            }
            if status >= 0 { return bytes }
            guard errno == EINTR else {
                throw InputFailure(
                    line: number + 1, message: "it cannot be read: \(SystemError(errno))", hint: hint)
            }
        }
    }
}
