// SPDX-License-Identifier: Apache-2.0

package import MediaCore
package import PluginABI
internal import Synchronization

/// Turns events into the records and the text area of a `kit_event_batch_v1`, in storage that is used again and again.
///
/// The same bytes go to a plugin in this process (`withBatch`) and, copied, to a worker (`records`, `text`).
///
/// Thread: one at a time; may be handed from one to another.
@safe
package final class EventBatchEncoder: @unchecked Sendable {
    private let recordStorage: UnsafeMutableBufferPointer<kit_event_v1>
    private let textStorage: UnsafeMutableRawBufferPointer
    /// Records encoded by the last `fill`.
    package private(set) var count = 0
    /// Bytes of text encoded by the last `fill`.
    package private(set) var textCount = 0

    /// - Parameters:
    ///   - maxEvents: records in a batch, at least 1.
    ///   - maxText: bytes of text in a batch; the text of an event that alone has more is cut between two characters.
    package init(maxEvents: Int = 512, maxText: Int = 256 * 1024) {
        precondition(maxEvents > 0 && maxText > 0, "a batch holds at least one event")
        unsafe recordStorage = .allocate(capacity: maxEvents)
        unsafe textStorage = .allocate(byteCount: maxText, alignment: 1)
    }

    deinit {
        unsafe recordStorage.deallocate()
        unsafe textStorage.deallocate()
    }

    private static let idle = Mutex<[EventBatchEncoder]>([])

    /// Lends an encoder for as long as `body` runs: there are as many as calls at one time, not as many as strategies.
    package static func withShared(_ body: (EventBatchEncoder) -> Void) {
        let encoder = idle.withLock { $0.popLast() } ?? EventBatchEncoder()
        body(encoder)
        idle.withLock { $0.append(encoder) }
    }

    /// Encodes wanted events from the front of `events` until the batch is full. What was encoded before is gone.
    ///
    /// - Returns: the events that are still to be encoded; always fewer than given.
    package func fill(from events: ArraySlice<PlayerEvent>, wanted: EventMask) -> ArraySlice<PlayerEvent> {
        count = 0
        textCount = 0
        var index = events.startIndex
        while index < events.endIndex {
            if wanted.contains(events[index].type), !append(events[index]) { break }
            index += 1
        }
        return events[index...]
    }

    /// Lends the batch to C.
    ///
    /// - Parameter dropped: events lost to the instance since its former batch.
    package func withBatch<Result>(
        controller: ControllerID, dropped: UInt64, _ body: (UnsafePointer<kit_event_batch_v1>) throws -> Result
    ) rethrows -> Result {
        var batch = unsafe kit_event_batch_v1()
        unsafe batch.struct_size = UInt32(MemoryLayout<kit_event_batch_v1>.size)
        unsafe batch.controller = controller.rawValue
        unsafe batch.events = count > 0 ? UnsafePointer(recordStorage.baseAddress) : nil
        unsafe batch.event_count = UInt32(count)
        unsafe batch.event_stride = UInt32(MemoryLayout<kit_event_v1>.stride)
        unsafe batch.text =
            textCount > 0 ? UnsafePointer(textStorage.assumingMemoryBound(to: CChar.self).baseAddress) : nil
        unsafe batch.text_length = UInt64(textCount)
        unsafe batch.dropped = dropped
        return try unsafe withUnsafePointer(to: batch) { try unsafe body($0) }
    }

    /// The records as bytes, valid until the next `fill`.
    package var records: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(recordStorage)[..<(count * MemoryLayout<kit_event_v1>.stride)])
    }

    /// The text area as bytes, valid until the next `fill`.
    package var text: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(textStorage)[..<textCount])
    }

    private func append(_ event: PlayerEvent) -> Bool {
        guard unsafe count < recordStorage.count, let length = appendText(event.text) else { return false }
        var record = kit_event_v1()
        record.struct_size = UInt32(MemoryLayout<kit_event_v1>.size)
        record.type = event.type.rawValue
        record.flags = event.flags.rawValue
        record.session = event.session.rawValue
        record.sequence = event.sequence
        record.time_us = event.time.microseconds
        record.position_us = event.positionMicroseconds
        record.text_offset = length > 0 ? UInt32(textCount - length) : 0
        record.text_length = UInt32(length)
        let values = event.values
        record.v = (values[0], values[1], values[2], values[3], values[4], values[5])
        if event.type == .request || event.type == .sourceSwitch {
            // It splits the text: a log may hold any number there, and a plugin may trust this one.
            record.v.0 = max(0, min(record.v.0, Int64(length)))
        }
        unsafe recordStorage.initializeElement(at: count, to: record)
        count += 1
        return true
    }

    /// - Returns: the bytes that were appended; nil if the batch must be handed over first.
    private func appendText(_ text: String) -> Int? {
        var text = text
        return text.withUTF8 { utf8 -> Int? in
            let bytes = UnsafeRawBufferPointer(utf8)
            let room = unsafe textStorage.count - textCount
            var length = bytes.count
            if length > room {
                guard textCount == 0 else { return nil }
                length = unsafe KitText.wholeScalars(UnsafeRawBufferPointer(rebasing: bytes[..<room]))
            }
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: textStorage[textCount..<textCount + length])
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
            textCount += length
            return length
        }
    }
}

extension EventMask {
    /// The mask of a monitor's table; all zero means every type.
    package init(abi low: UInt64, _ high: UInt64) {
        self = low == 0 && high == 0 ? .all : EventMask(low: low, high: high)
    }
}
