// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// The host's sink as a report output, for the length of one call.
@safe
struct SinkOutput: PluginReportOutput {
    private let sink: UnsafePointer<kit_report_sink_v1>

    init(_ sink: UnsafePointer<kit_report_sink_v1>?) throws {
        guard let sink = unsafe sink, unsafe sink.pointee.struct_size >= MemoryLayout<kit_report_sink_v1>.size
        else { throw PluginFailure(.badArgument, "the sink is null or too short") }
        unsafe self.sink = sink
    }

    func emit(_ report: PluginReport) throws {
        var texts: [UInt8] = []
        func add(_ text: String) -> Range<Int> {
            let start = texts.count
            texts.append(contentsOf: text.utf8)
            return start..<texts.count
        }
        let name = add(report.name)
        let places = report.fields.map { field -> (key: Range<Int>, text: Range<Int>) in
            let key = add(field.key)
            if case .string(let text) = field.value { return (key, add(text)) }
            return (key, 0..<0)
        }
        let result = unsafe texts.withUnsafeBufferPointer { base -> kit_result in
            let fields = unsafe zip(report.fields, places).map { field, place in
                unsafe field.record(key: lend(place.key, base), text: lend(place.text, base))
            }
            return unsafe fields.withUnsafeBufferPointer { fields in
                var record = unsafe kit_report_v1()
                unsafe record.struct_size = UInt32(MemoryLayout<kit_report_v1>.size)
                unsafe record.kind = UInt32(report.kind == .record ? KIT_REPORT_RECORD : KIT_REPORT_OCCURRENCE)
                unsafe record.session = report.session
                unsafe record.name = lend(name, base)
                unsafe record.fields = fields.isEmpty ? nil : fields.baseAddress
                unsafe record.field_count = UInt32(fields.count)
                unsafe record.field_stride = UInt32(MemoryLayout<kit_field_v1>.stride)
                return unsafe sink.pointee.emit(sink, &record)
            }
        }
        guard result < 0 else { return }
        throw PluginFailure(PluginFailure.Result(rawValue: result) ?? .internal, "report \(report.name) was not taken")
    }
}

extension PluginReport.Field {
    fileprivate func record(key: kit_str, text: kit_str) -> kit_field_v1 {
        var record = unsafe kit_field_v1()
        unsafe record.struct_size = UInt32(MemoryLayout<kit_field_v1>.size)
        unsafe record.key = key
        switch value {
        case .unknown:
            unsafe record.type = UInt32(KIT_FIELD_UNKNOWN)
        case .int(let value):
            unsafe record.type = UInt32(KIT_FIELD_INT)
            unsafe record.integer = value
        case .double(let value):
            unsafe record.type = UInt32(KIT_FIELD_DOUBLE)
            unsafe record.number = value
        case .string:
            unsafe record.type = UInt32(KIT_FIELD_STRING)
            unsafe record.text = text
        case .duration(let value):
            unsafe record.type = UInt32(KIT_FIELD_DURATION)
            unsafe record.integer = value ?? PluginEvent.unknown
        case .flag(let value):
            unsafe record.type = UInt32(KIT_FIELD_FLAG)
            unsafe record.integer = value ? 1 : 0
        }
        return unsafe record
    }
}

private func lend(_ range: Range<Int>, _ base: UnsafeBufferPointer<UInt8>) -> kit_str {
    guard !range.isEmpty, let start = base.baseAddress else { return unsafe kit_str(ptr: nil, len: 0) }
    let characters = unsafe UnsafeRawPointer(start + range.lowerBound).assumingMemoryBound(to: CChar.self)
    return unsafe kit_str(ptr: characters, len: UInt64(range.count))
}
