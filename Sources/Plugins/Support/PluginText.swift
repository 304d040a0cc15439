// SPDX-License-Identifier: Apache-2.0

public import Glibc
public import PluginABI

/// Text of a request: read where the host lends it, so that a look at a thousand players copies nothing.
///
/// What the host lends is gone when `decide` returns; a strategy that keeps a text keeps its `string`.
@safe
public struct PluginText: Hashable, ExpressibleByStringLiteral, CustomStringConvertible, @unchecked Sendable {
    // Sendable: nobody writes to the bytes.
    @usableFromInline let start: UnsafePointer<CChar>?
    @usableFromInline let count: Int
    /// Keeps the bytes of a text of its own; nil for what is lent.
    @usableFromInline let owner: OwnedMemory?

    /// A text of its own.
    public init(_ text: String) {
        var text = text
        let bytes = text.isEmpty ? nil : text.withUTF8 { unsafe OwnedMemory(UnsafeRawBufferPointer($0)) }
        unsafe start = bytes.map { unsafe $0.start.assumingMemoryBound(to: CChar.self) }
        count = text.utf8.count
        owner = bytes
    }

    /// A text of its own.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// - Parameter owner: keeps the bytes; nil: the host does.
    @inlinable init(_ text: kit_str, owner: OwnedMemory? = nil) {
        unsafe start = text.ptr
        count = unsafe text.ptr == nil ? 0 : Int(clamping: text.len)
        self.owner = owner
    }

    /// Lives as long as this.
    var lent: kit_str { unsafe kit_str(ptr: start, len: UInt64(count)) }

    /// A copy.
    public var string: String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Whether it has no bytes.
    public var isEmpty: Bool { count == 0 }

    /// A copy.
    public var description: String { string }

    /// By their bytes.
    @inlinable
    public static func == (left: PluginText, right: PluginText) -> Bool {
        guard left.count == right.count else { return false }
        guard let one = unsafe left.start, let other = unsafe right.start else { return true }
        return unsafe memcmp(one, other, left.count) == 0
    }

    /// By its bytes.
    public func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(start: start, count: count))
    }
}
