// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Sends values to any number of `AsyncStream`s; a reader that is too slow loses the oldest.
///
/// Thread: any.
final class Broadcast<Value: Sendable>: Sendable {
    /// Values that wait for a reader at most.
    static var bufferedValues: Int { 256 }

    private struct State {
        var continuations: [Int: AsyncStream<Value>.Continuation] = [:]
        var next = 0
        var isOver = false
    }

    private let state = Mutex(State())

    deinit {
        finish()
    }

    /// A new stream of what is sent from now on; it ends with this object or with `finish`.
    var stream: AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(Broadcast.bufferedValues))
        let number = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        if let number {
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in _ = state.continuations.removeValue(forKey: number) }
            }
        } else {
            continuation.finish()
        }
        return stream
    }

    func send(_ value: Value) {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(value) }
    }

    func finish() {
        let open = state.withLock { state in
            state.isOver = true
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in open { continuation.finish() }
    }
}
