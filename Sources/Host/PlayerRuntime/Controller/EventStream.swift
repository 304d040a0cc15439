// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Feeds one `AsyncStream` of a controller's events. Thread: the dispatcher's.
final class EventStream: EventSink {
    /// Events that wait for the reader at most; the oldest give way.
    static let bufferedEvents = 4096

    let interest = EventMask.all
    private let continuation: AsyncStream<PlayerEvent>.Continuation

    init(_ continuation: AsyncStream<PlayerEvent>.Continuation) {
        self.continuation = continuation
    }

    func receive(_ events: [PlayerEvent]) {
        for event in events { continuation.yield(event) }
    }

    func finish() {
        continuation.finish()
    }
}
