// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PluginABI

/// Text of a request: read where the host lends it, so that a look at a thousand players copies nothing.
///
/// What the host lends is gone when `decide` returns; a strategy that keeps a text keeps its `string`.
@safe
public struct PluginText: Hashable, ExpressibleByStringLiteral, CustomStringConvertible, @unchecked Sendable {
    // Sendable: nobody writes to what is lent, and what is owned is a value.
    @unsafe private enum Storage {
        case owned(String)
        case lent(UnsafePointer<CChar>?, Int)
    }

    private let storage: Storage

    /// A text of its own.
    public init(_ text: String) {
        unsafe storage = .owned(text)
    }

    /// A text of its own.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    init(_ text: kit_str) {
        unsafe storage = .lent(text.ptr, text.ptr == nil ? 0 : Int(clamping: text.len))
    }

    /// A copy.
    public var string: String {
        switch unsafe storage {
        case .owned(let text): text
        case .lent(let start, let count):
            unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }

    /// Whether it has no bytes.
    public var isEmpty: Bool {
        switch unsafe storage {
        case .owned(let text): text.isEmpty
        case .lent(_, let count): count == 0
        }
    }

    /// A copy.
    public var description: String { string }

    /// By their bytes.
    public static func == (left: PluginText, right: PluginText) -> Bool {
        if case .lent(let one, let count) = unsafe left.storage,
            case .lent(let other, let otherCount) = unsafe right.storage
        {
            guard count == otherCount else { return false }
            guard let one = unsafe one, let other = unsafe other else { return true }
            return unsafe memcmp(one, other, count) == 0
        }
        return left.string.utf8.elementsEqual(right.string.utf8)
    }

    /// Costs a copy of what is lent.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(string)
    }
}
