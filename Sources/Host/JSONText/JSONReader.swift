// SPDX-License-Identifier: Apache-2.0

internal import CJansson

/// Reads one JSON document (RFC 8259) with jansson: any value at the top, keys in their order, a repeated key is an error.
///
/// Thread: any.
public struct JSONReader: Sendable {
    /// Arrays and objects inside each other, at most.
    public var maximumDepth: Int

    /// - Parameter maximumDepth: 1 to 1,000.
    public init(maximumDepth: Int = 64) {
        self.maximumDepth = min(max(maximumDepth, 1), 1000)
    }

    /// - Throws: `JSONError` that names the first place that is wrong: bad UTF-8, syntax, a repeated key, a number that has no
    ///   64-bit form, too deep.
    public func read(_ text: String) throws(JSONError) -> JSONValue {
        try read(Array(text.utf8))
    }

    /// - Throws: as `read(_: String)`.
    public func read(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        try read(bytes.span)
    }

    /// - Throws: as `read(_: String)`.
    public func read(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        var failure = json_error_t()
        let options = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL
        let root = unsafe bytes.withUnsafeBytes { buffer in
            unsafe json_loadb(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, Int(options), &failure)
        }
        guard let root = unsafe root else {
            throw JSONError(failure, isEmpty: bytes.isEmpty)
        }
        defer { unsafe json_decref(root) }
        guard let value = unsafe convert(root, depth: 0) else {
            throw JSONError(
                line: 1, column: 0, offset: 0, message: "nested deeper than \(maximumDepth) levels")
        }
        return value
    }

    /// nil if it is nested too deep.
    private func convert(_ json: UnsafeMutablePointer<json_t>, depth: Int) -> JSONValue? {
        switch unsafe json.pointee.type {
        case JSON_OBJECT:
            guard depth < maximumDepth else { return nil }
            var members: [JSONObject.Member] = []
            unsafe members.reserveCapacity(json_object_size(json))
            var iterator = unsafe json_object_iter(json)
            while let position = unsafe iterator {
                guard let key = unsafe json_object_iter_key(position),
                    let item = unsafe json_object_iter_value(position),
                    let value = unsafe convert(item, depth: depth + 1)
                else { return nil }
                unsafe members.append(JSONObject.Member(String(cString: key), value))
                unsafe iterator = unsafe json_object_iter_next(json, position)
            }
            return .object(JSONObject(members))
        case JSON_ARRAY:
            guard depth < maximumDepth else { return nil }
            var elements: [JSONValue] = []
            let count = unsafe json_array_size(json)
            elements.reserveCapacity(count)
            for index in 0..<count {
                guard let item = unsafe json_array_get(json, index),
                    let value = unsafe convert(item, depth: depth + 1)
                else { return nil }
                elements.append(value)
            }
            return .array(elements)
        case JSON_STRING:
            let bytes = unsafe UnsafeRawBufferPointer(
                start: json_string_value(json), count: json_string_length(json))
            return unsafe .string(String(decoding: bytes, as: UTF8.self))
        case JSON_INTEGER: return unsafe .int(json_integer_value(json))
        case JSON_REAL: return unsafe .double(json_real_value(json))
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        default: return .null
        }
    }
}

extension JSONError {
    /// jansson's account of a failure; its text quotes the input, so control characters in it are replaced.
    fileprivate init(_ failure: json_error_t, isEmpty: Bool) {
        var failure = failure
        let text = unsafe withUnsafeBytes(of: &failure.text) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let message = String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        self.init(
            line: max(1, Int(failure.line)), column: max(0, Int(failure.column)),
            offset: max(0, Int(failure.position)), message: isEmpty ? "the text is empty" : message)
    }
}
