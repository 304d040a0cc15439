// SPDX-License-Identifier: Apache-2.0

/// A JSON document or a part of one. Integers and other numbers are kept apart; objects keep their order.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    /// Not finite is written as null.
    case double(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// Whether it is `null`; a missing key is nil instead.
    public var isNull: Bool { self == .null }

    /// nil for other values; the same holds for the accessors below.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// Only numbers written as integers.
    public var int: Int64? {
        if case .int(let value) = self { value } else { nil }
    }

    /// Any number.
    public var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The text, without quotes and escapes.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements in their order.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members in the order of the document.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value of a key of an object; nil for other values and missing keys.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// A span in microseconds as the milliseconds that reports and logs show; nil is null.
    public static func milliseconds(_ microseconds: Int64?) -> JSONValue {
        microseconds.map { .double(Double($0) / 1000) } ?? .null
    }

    /// `null` for nil.
    public init(_ value: Int64?) { self = value.map { .int($0) } ?? .null }
    /// `null` for nil.
    public init(_ value: Double?) { self = value.map { .double($0) } ?? .null }
    /// `null` for nil.
    public init(_ value: Bool?) { self = value.map { .bool($0) } ?? .null }
    /// `null` for nil.
    public init(_ value: String?) { self = value.map { .string($0) } ?? .null }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Written `nil`.
    public init(nilLiteral: ()) { self = .null }
    /// Written `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Written as an integer.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// Written with a fraction or an exponent.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// Written as a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Written as an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Written as a dictionary; an object keeps its order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member($0.0, $0.1) }))
    }
}
