// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PlayerKit
internal import Synchronization

/// Writes lines to a descriptor on a thread of its own, each as soon as it can, so that who makes them does not wait for a reader.
///
/// Thread: any.
final class LineOutput: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var lost: UInt64 = 0
        var isWriting = false
        var isFinished = false
        var failure: String?
        /// The reader went away, which is no failure.
        var isClosed = false

        var isUseless: Bool { isClosed || failure != nil }
    }

    /// Bytes that wait for a slow reader, at most.
    private static let limit = 16 << 20

    private let descriptor: Int32
    private let isLossless: Bool
    private let state = Mutex(State())
    private let gate = Gate()

    /// - Parameters:
    ///   - descriptor: stays open until `finish` has returned.
    ///   - isLossless: who writes waits for room rather than lose a line; where no playback suffers from it.
    init(descriptor: Int32, isLossless: Bool) {
        self.descriptor = descriptor
        self.isLossless = isLossless
        PlainThread.start("kit-lines") { [self] in run() }
    }

    /// Lines that found no room.
    var lost: UInt64 { state.withLock { $0.lost } }

    /// Appends a line, which ends with its line feed.
    ///
    /// - Parameter isLast: it is kept whatever waits already.
    func write(_ line: [UInt8], isLast: Bool = false) {
        if isLossless { gate.wait { state.withLock { $0.pending.count < LineOutput.limit || $0.isUseless } } }
        state.withLock { state in
            guard !state.isUseless else { return }
            if state.pending.count + line.count <= LineOutput.limit || isLast || isLossless {
                state.pending += line
            } else {
                state.lost += 1
            }
        }
        gate.signal()
    }

    /// Waits until everything is written.
    ///
    /// - Returns: why it could not be; nil if it was, or if the reader went away.
    func finish() -> String? {
        state.withLock { $0.isFinished = true }
        gate.signal()
        gate.wait { state.withLock { $0.pending.isEmpty && !$0.isWriting || $0.isUseless } }
        return state.withLock { $0.failure }
    }

    private func run() {
        while true {
            gate.wait { state.withLock { !$0.pending.isEmpty || $0.isFinished } }
            let bytes = state.withLock { state in
                defer { state.pending = [] }
                state.isWriting = true
                return state.pending
            }
            if bytes.isEmpty {
                state.withLock { $0.isWriting = false }
                return gate.signal()
            }
            let error = StandardStreams.write(bytes, to: descriptor) ? nil : errno
            let isOver = state.withLock { state in
                state.isWriting = false
                if let error {
                    state.isClosed = error == EPIPE
                    state.failure = state.isClosed ? nil : SystemReason.of(error)
                    state.pending = []
                }
                return state.isUseless
            }
            gate.signal()
            if isOver { return }
        }
    }
}
