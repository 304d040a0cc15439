// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
package import PluginABI
package import Sessions

/// Reads a `kit_report_v1` that a plugin of this process pushes into its sink. Trusts no size, count or value in it; a
/// pointer that is not null can only be believed.
package enum ReportDecoder {
    /// Copies a report.
    ///
    /// Bad UTF-8 is repaired, long texts are cut, values that are not finite or known become `unknown`, and so do fields of an unknown type.
    ///
    /// - Throws: `badArgument` if a size, count, pointer, kind or name is not what the header asks for.
    package static func decode(_ report: UnsafePointer<kit_report_v1>?) throws(KitResult) -> ReportEntry {
        guard let report = unsafe report, unsafe report.pointee.struct_size >= MemoryLayout<kit_report_v1>.size
        else { throw .badArgument }
        let head = unsafe report.pointee
        let kind: ReportEntry.Kind
        switch unsafe head.kind {
        case UInt32(KIT_REPORT_RECORD): kind = .record
        case UInt32(KIT_REPORT_OCCURRENCE): kind = .occurrence
        default: throw .badArgument
        }
        let name = try unsafe identifier(head.name)
        let count = unsafe Int(head.field_count)
        guard count <= ReportLimits.maxFields else { throw .badArgument }
        var fields: [ReportEntry.Field] = []
        if count > 0 {
            let stride = unsafe Int(head.field_stride)
            guard let first = unsafe head.fields, unsafe stride >= MemoryLayout<kit_field_v1>.size else {
                throw .badArgument
            }
            fields.reserveCapacity(count)
            for index in 0..<count {
                let record = unsafe (UnsafeRawPointer(first) + index * stride).loadUnaligned(as: kit_field_v1.self)
                fields.append(try unsafe field(record))
            }
        }
        return unsafe ReportEntry(kind, session: SessionID(rawValue: head.session), name: name, fields: fields)
    }

    private static func field(_ field: kit_field_v1) throws(KitResult) -> ReportEntry.Field {
        guard unsafe field.struct_size >= MemoryLayout<kit_field_v1>.size else { throw .badArgument }
        let key = try unsafe identifier(field.key)
        let value: ReportEntry.Value
        switch unsafe field.type {
        case UInt32(KIT_FIELD_INT): value = unsafe .int(field.integer)
        case UInt32(KIT_FIELD_DOUBLE): value = unsafe field.number.isFinite ? .double(field.number) : .unknown
        case UInt32(KIT_FIELD_STRING):
            guard let text = unsafe KitText.string(field.text) else { throw .badArgument }
            value = .string(text)
        case UInt32(KIT_FIELD_DURATION):
            value = unsafe field.integer == PlayerEvent.unknown ? .unknown : .duration(field.integer)
        case UInt32(KIT_FIELD_FLAG): value = unsafe .flag(field.integer != 0)
        default: value = .unknown
        }
        return ReportEntry.Field(key, value)
    }

    private static func identifier(_ text: kit_str) throws(KitResult) -> String {
        guard
            unsafe text.len <= ReportLimits.maxNameBytes, let name = unsafe KitText.string(text),
            ReportLimits.isName(name.utf8)
        else { throw .badArgument }
        return name
    }
}
