// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import Sessions
internal import Synchronization

/// Writes the event log of a run. A write that fails ends the log, not the run.
///
/// Where time is real the log holds whole lines up to the batch that was delivered last, however the process ends; at virtual speed,
/// where nothing is lost that another run would not give, it is written in large pieces.
///
/// Thread: one at a time, but for `note`.
final class RunRecorder: Sendable {
    private struct State {
        var writer: EventLogWriter?
        var failure: PlayerError?
        /// Operations of the pool that come before the next events.
        var operations: [PoolRecord] = []
    }

    private let output: OutputDescriptor
    private let isBuffered: Bool
    private let state = Mutex(State())

    init(_ output: OutputDescriptor, isBuffered: Bool) {
        self.output = output
        self.isBuffered = isBuffered
    }

    /// What kept the log from being complete; nil if it is.
    var failure: PlayerError? { state.withLock { $0.failure } }

    /// - Parameter origin: what the log's times count from.
    func begin(at origin: EventTime) {
        let descriptor = output.descriptor
        let writer = EventLogWriter(origin: origin) { try RunRecorder.write($0, to: descriptor) }
        state.withLock { $0.writer = writer }
        // Whatever comes, it is a log.
        perform { try $0.flush() }
    }

    /// Takes an operation of the pool. Thread: any.
    func note(_ operation: PoolRecord) {
        state.withLock { $0.operations.append(operation) }
    }

    func write(_ events: [PlayerEvent]) {
        let operations = takeOperations()
        perform { [isBuffered] writer in
            for operation in operations { try writer.write(operation) }
            for event in events { try writer.write(event) }
            if !isBuffered { try writer.flush() }
        }
    }

    func end() {
        let operations = takeOperations()
        perform { writer in
            for operation in operations { try writer.write(operation) }
            try writer.flush()
        }
    }

    private func takeOperations() -> [PoolRecord] {
        state.withLock { state in
            defer { state.operations = [] }
            return state.operations
        }
    }

    private func perform(_ body: (inout EventLogWriter) throws -> Void) {
        guard var writer = state.withLock({ $0.writer.take() }) else { return }
        do {
            try body(&writer)
            state.withLock { $0.writer = writer }
        } catch {
            state.withLock {
                $0.failure = PlayerError(
                    .sinkFailed, "The event log could not be written to \(output.name): \(error)",
                    hint: "Free some space or record elsewhere; playback was not affected.")
            }
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(errno)
            }
            rest = rest.dropFirst(count)
        }
    }
}
