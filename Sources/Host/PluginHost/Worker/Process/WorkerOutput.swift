// SPDX-License-Identifier: Apache-2.0

/// What a plugin prints: cut into lines for the log, and a tail of it kept for the fault that may follow.
struct WorkerOutput {
    /// Bytes of the tail.
    static let tailBytes = 4096
    /// A longer line is logged in pieces.
    static let lineBytes = 1024

    private var line: [UInt8] = []
    private var tail: [UInt8] = []

    /// Takes what was printed and returns the lines it completed.
    mutating func append(_ bytes: ArraySlice<UInt8>) -> [String] {
        tail.append(contentsOf: bytes.suffix(WorkerOutput.tailBytes))
        if tail.count > WorkerOutput.tailBytes { tail.removeFirst(tail.count - WorkerOutput.tailBytes) }
        var lines: [String] = []
        for byte in bytes {
            if byte != UInt8(ascii: "\n") { line.append(byte) }
            if byte == UInt8(ascii: "\n") || line.count == WorkerOutput.lineBytes { lines += endOfLine() }
        }
        return lines
    }

    /// The line that was begun and not ended, if there is one.
    mutating func endOfLine() -> [String] {
        defer { line.removeAll(keepingCapacity: true) }
        return line.isEmpty ? [] : [String(decoding: line, as: UTF8.self)]
    }

    /// The tail as it was printed; empty if nothing was.
    var lastLines: String { String(decoding: tail, as: UTF8.self) }

    /// The last words, on one line; empty if nothing was printed.
    var lastWords: String {
        lastLines.split(whereSeparator: \.isNewline).suffix(8).joined(separator: " | ")
    }
}
