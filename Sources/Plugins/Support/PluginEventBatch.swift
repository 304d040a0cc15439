// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// Events of one controller, in order.
public struct PluginEventBatch: Sendable {
    public var controller: UInt32
    /// Events lost to this instance since the former batch, because it was too slow.
    public var dropped: UInt64
    public var events: [PluginEvent]

    public init(controller: UInt32 = 1, dropped: UInt64 = 0, events: [PluginEvent]) {
        self.controller = controller
        self.dropped = dropped
        self.events = events
    }

    /// Copies what the host lends.
    ///
    /// - Throws: `badArgument` if the host is older than this plugin allows or its numbers do not fit together.
    init(_ batch: UnsafePointer<kit_event_batch_v1>?) throws {
        guard let batch = unsafe batch, unsafe batch.pointee.struct_size >= MemoryLayout<kit_event_batch_v1>.size
        else { throw PluginFailure(.badArgument, "the batch is null or too short") }
        let head = unsafe batch.pointee
        let text = unsafe UnsafeRawBufferPointer(start: head.text, count: head.text == nil ? 0 : Int(head.text_length))
        let stride = unsafe Int(head.event_stride)
        let first = unsafe UnsafeRawPointer(head.events)
        let count = unsafe first == nil ? 0 : Int(head.event_count)
        guard count == 0 || stride >= MemoryLayout<kit_event_v1>.size else {
            throw PluginFailure(.badArgument, "event_stride is \(stride)")
        }
        unsafe self.init(controller: head.controller, dropped: head.dropped, events: [])
        events.reserveCapacity(count)
        for index in 0..<count {
            guard let record = unsafe first?.loadUnaligned(fromByteOffset: index * stride, as: kit_event_v1.self)
            else { break }
            events.append(unsafe PluginEvent(record, text: text))
        }
    }
}
