// SPDX-License-Identifier: Apache-2.0

package import PluginABI

extension PluginOption {
    /// Lends what an instance is created with to C.
    ///
    /// - Parameter kind: `KIT_KIND_LIFECYCLE` or `KIT_KIND_MONITOR`.
    package static func withABI<Result>(
        kind: UInt32, instanceName: String, options: [PluginOption],
        _ body: (UnsafePointer<kit_create_v1>) throws -> Result
    ) rethrows -> Result {
        var arena = TextArena()
        let name = arena.add(instanceName)
        let texts = options.map { option -> (key: Range<Int>, text: Range<Int>) in
            let key = arena.add(option.key)
            if case .string(let text) = option.value { return (key, arena.add(text)) }
            return (key, 0..<0)
        }
        return try unsafe arena.bytes.withUnsafeBufferPointer { base in
            let records = unsafe zip(options, texts).map { option, place in
                unsafe option.record(
                    key: TextArena.text(place.key, in: base), text: TextArena.text(place.text, in: base))
            }
            return try unsafe records.withUnsafeBufferPointer { records in
                var how = unsafe kit_create_v1()
                unsafe how.struct_size = UInt32(MemoryLayout<kit_create_v1>.size)
                unsafe how.kind = kind
                unsafe how.instance_name = TextArena.text(name, in: base)
                unsafe how.options = records.isEmpty ? nil : records.baseAddress
                unsafe how.option_count = UInt32(records.count)
                unsafe how.option_stride = UInt32(MemoryLayout<kit_option_v1>.stride)
                return try unsafe withUnsafePointer(to: how) { try unsafe body($0) }
            }
        }
    }

    private func record(key: kit_str, text: kit_str) -> kit_option_v1 {
        var record = unsafe kit_option_v1()
        unsafe record.struct_size = UInt32(MemoryLayout<kit_option_v1>.size)
        unsafe record.key = key
        switch value {
        case .int(let value):
            unsafe record.type = UInt32(KIT_OPTION_INT)
            unsafe record.integer = value
        case .double(let value):
            unsafe record.type = UInt32(KIT_OPTION_DOUBLE)
            unsafe record.number = value
        case .string:
            unsafe record.type = UInt32(KIT_OPTION_STRING)
            unsafe record.text = text
        case .flag(let value):
            unsafe record.type = UInt32(KIT_OPTION_FLAG)
            unsafe record.integer = value ? 1 : 0
        case .duration(let value):
            unsafe record.type = UInt32(KIT_OPTION_DURATION)
            unsafe record.integer = value
        }
        return unsafe record
    }
}
