// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// What the user configured, checked by the host against the option note, defaults filled in.
public struct PluginOptions: Sendable {
    public enum Value: Hashable, Sendable {
        case int(Int64)
        case double(Double)
        case string(String)
        case flag(Bool)
        /// Microseconds.
        case duration(Int64)
    }

    /// The name under which the instance was configured.
    public var instanceName: String
    private var values: [(key: String, value: Value)]

    /// - Parameter values: in order; a list is one pair an element under the same key.
    public init(instanceName: String = "", _ values: [(key: String, value: Value)] = []) {
        self.instanceName = instanceName
        self.values = values
    }

    /// Every value of a key, for lists.
    public func all(_ key: String) -> [Value] {
        values.compactMap { $0.key == key ? $0.value : nil }
    }

    /// nil if there is no such key or it is of another type; the same holds for the others.
    public func int(_ key: String) -> Int64? {
        if case .int(let value)? = all(key).last { return value }
        return nil
    }

    public func double(_ key: String) -> Double? {
        if case .double(let value)? = all(key).last { return value }
        return nil
    }

    public func string(_ key: String) -> String? {
        if case .string(let value)? = all(key).last { return value }
        return nil
    }

    public func flag(_ key: String) -> Bool? {
        if case .flag(let value)? = all(key).last { return value }
        return nil
    }

    /// Microseconds.
    public func duration(_ key: String) -> Int64? {
        if case .duration(let value)? = all(key).last { return value }
        return nil
    }
}

extension PluginOptions {
    init(_ how: kit_create_v1) throws {
        unsafe self.init(instanceName: String(how.instance_name))
        let stride = unsafe Int(how.option_stride)
        guard let first = unsafe UnsafeRawPointer(how.options), unsafe how.option_count > 0 else { return }
        guard unsafe stride >= MemoryLayout<kit_option_v1>.size else {
            throw PluginFailure(.badArgument, "option_stride is \(stride)")
        }
        for index in 0..<(unsafe Int(how.option_count)) {
            let option = unsafe first.loadUnaligned(fromByteOffset: index * stride, as: kit_option_v1.self)
            let value: Value
            switch unsafe option.type {
            case UInt32(KIT_OPTION_INT): value = unsafe .int(option.integer)
            case UInt32(KIT_OPTION_DOUBLE): value = unsafe .double(option.number)
            case UInt32(KIT_OPTION_STRING): value = unsafe .string(String(option.text))
            case UInt32(KIT_OPTION_FLAG): value = unsafe .flag(option.integer != 0)
            case UInt32(KIT_OPTION_DURATION): value = unsafe .duration(option.integer)
            default: continue
            }
            unsafe values.append((String(option.key), value))
        }
    }
}

extension String {
    /// Copies text that the host lends.
    init(_ text: kit_str) {
        let bytes = unsafe UnsafeRawBufferPointer(start: text.ptr, count: text.ptr == nil ? 0 : Int(text.len))
        self = unsafe String(decoding: bytes, as: UTF8.self)
    }
}
