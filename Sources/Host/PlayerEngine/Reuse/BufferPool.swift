// SPDX-License-Identifier: Apache-2.0

internal import CLibAV

/// Buffers of one size, for the planes of one decoder's pictures.
///
/// Thread: any; libav's pools guard themselves.
@safe final class BufferPool: @unchecked Sendable {
    // Never changes; freed with the last buffer that was had from it.
    private let pool: OpaquePointer

    /// nil if there is no memory.
    init?(of byteCount: Int, from memory: PictureMemory) {
        let memory = unsafe Unmanaged.passRetained(memory)
        guard
            let made = unsafe av_buffer_pool_init2(byteCount, memory.toOpaque(), makeBufferThunk, freePoolThunk)
        else {
            unsafe memory.release()
            return nil
        }
        unsafe pool = made
    }

    deinit {
        var freed: OpaquePointer? = unsafe pool
        unsafe av_buffer_pool_uninit(&freed)
    }

    /// One that nobody uses; nil if there is no memory.
    func get() -> UnsafeMutablePointer<AVBufferRef>? { unsafe av_buffer_pool_get(pool) }
}

/// Memory that is a buffer of libav's.
private final class LentMemory {
    let memory: PictureMemory
    let byteCount: Int

    init(_ memory: PictureMemory, _ byteCount: Int) {
        self.memory = memory
        self.byteCount = byteCount
    }
}

private func makeBufferThunk(
    _ opaque: UnsafeMutableRawPointer?, _ byteCount: Int
) -> UnsafeMutablePointer<AVBufferRef>? {
    guard let opaque = unsafe opaque else { return nil }
    let memory = unsafe Unmanaged<PictureMemory>.fromOpaque(opaque).takeUnretainedValue()
    guard let start = unsafe memory.take(byteCount)?.assumingMemoryBound(to: UInt8.self) else { return nil }
    let lent = unsafe Unmanaged.passRetained(LentMemory(memory, byteCount)).toOpaque()
    let buffer = unsafe av_buffer_create(start, byteCount, freeBufferThunk, lent, 0)
    if unsafe buffer == nil { unsafe freeBufferThunk(lent, start) }
    return unsafe buffer
}

private func freeBufferThunk(_ opaque: UnsafeMutableRawPointer?, _ start: UnsafeMutablePointer<UInt8>?) {
    guard let opaque = unsafe opaque, let start = unsafe start else { return }
    let lent = unsafe Unmanaged<LentMemory>.fromOpaque(opaque).takeRetainedValue()
    unsafe lent.memory.put(start, lent.byteCount)
}

private func freePoolThunk(_ opaque: UnsafeMutableRawPointer?) {
    guard let opaque = unsafe opaque else { return }
    unsafe Unmanaged<PictureMemory>.fromOpaque(opaque).release()
}
