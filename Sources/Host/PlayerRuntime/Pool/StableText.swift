// SPDX-License-Identifier: Apache-2.0

/// A text whose UTF-8 stays where it is as long as this or a copy of it lives, so that C can be pointed to it without copying it.
@safe
package struct StableText: @unchecked Sendable {
    // Sendable: written once, before anybody else sees it.
    /// nil for an empty text.
    package let start: UnsafePointer<CChar>?
    /// Bytes.
    package let count: Int
    private let owner: Bytes?

    /// Frees the bytes with the last copy.
    @safe
    private final class Bytes {
        let start: UnsafeMutableRawPointer

        init(_ bytes: UnsafeRawBufferPointer) {
            unsafe start = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 1)
            if let source = bytes.baseAddress { unsafe start.copyMemory(from: source, byteCount: bytes.count) }
        }

        deinit {
            unsafe start.deallocate()
        }
    }

    package init(_ text: String) {
        var text = text
        owner = text.isEmpty ? nil : text.withUTF8 { unsafe Bytes(UnsafeRawBufferPointer($0)) }
        count = text.utf8.count
        unsafe start = owner.map { unsafe UnsafePointer($0.start.assumingMemoryBound(to: CChar.self)) }
    }
}
