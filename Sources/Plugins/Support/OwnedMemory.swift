// SPDX-License-Identifier: Apache-2.0

/// Memory of what no host lends: that of tests. Freed with the last text, player or request that is in it.
@safe
@usableFromInline
final class OwnedMemory: @unchecked Sendable {
    // Sendable: written before anybody else sees it.
    let start: UnsafeRawPointer
    /// To which there are pointers in it.
    private let kept: [OwnedMemory]

    /// A copy.
    ///
    /// - Parameter bytes: at least one.
    init(_ bytes: UnsafeRawBufferPointer, keeping kept: [OwnedMemory] = []) {
        let place = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        unsafe place.copyMemory(from: bytes)
        unsafe start = UnsafeRawPointer(place.baseAddress.unsafelyUnwrapped)
        self.kept = kept
    }

    deinit {
        unsafe start.deallocate()
    }
}
