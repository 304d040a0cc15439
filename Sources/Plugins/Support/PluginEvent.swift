// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// One event of a playback session, copied out of the batch. `kitshell/event.h` says what the values of each kind are.
public struct PluginEvent: Sendable {
    public var kind: PluginEventKind
    /// `KIT_EVENT_FLAG_*`.
    public var flags: UInt32
    public var session: UInt32
    /// Strictly increasing per controller.
    public var sequence: UInt64
    /// Event time in microseconds.
    public var time: Int64
    /// Media position in microseconds; nil if there is none.
    public var position: Int64?
    public var text: String
    private var values: InlineArray<6, Int64>

    public init(
        _ kind: PluginEventKind, session: UInt32, time: Int64,
        values: InlineArray<6, Int64> = InlineArray(repeating: 0),
        text: String = "", sequence: UInt64 = 0, position: Int64? = nil, flags: UInt32 = 0
    ) {
        self.kind = kind
        self.flags = flags
        self.session = session
        self.sequence = sequence
        self.time = time
        self.position = position
        self.text = text
        self.values = values
    }

    /// Value `index` (0 to 5) in the unit the header gives; nil if it is not known.
    public func value(_ index: Int) -> Int64? {
        values[index] == PluginEvent.unknown ? nil : values[index]
    }

    /// `KIT_UNKNOWN`.
    public static let unknown = Int64.min
}

extension PluginEvent {
    init(_ record: kit_event_v1, text: UnsafeRawBufferPointer) {
        let start = Int(record.text_offset)
        let end = start + Int(record.text_length)
        let v = record.v
        self.init(
            PluginEventKind(rawValue: record.type), session: record.session, time: record.time_us,
            values: [v.0, v.1, v.2, v.3, v.4, v.5],
            text: record.text_length > 0 && end <= text.count
                ? unsafe String(decoding: text[start..<end], as: UTF8.self) : "",
            sequence: record.sequence,
            position: record.position_us == PluginEvent.unknown ? nil : record.position_us, flags: record.flags)
    }
}
