// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Synchronization

/// Where one decoder has the buffers of its pictures from. It uses each again and again; what it has at its end, or when it rests, goes back to
/// the memory that all decoders share.
///
/// Thread: any; libav asks from the threads that decode.
final class PicturePools: Sendable {
    /// What planes lie in memory by.
    private struct Layout: Equatable, Sendable {
        var format: Int32 = -1
        var width: Int32 = 0
        var height: Int32 = 0
    }

    private struct Plane: Sendable {
        var pool: BufferPool
        var lineSize: Int32
    }

    private struct State: Sendable {
        var layout = Layout()
        var planes: [Plane] = []
    }

    private let memory: PictureMemory
    private let state = Mutex(State())

    private static let planeLimit = 4
    /// Bytes behind each plane, into which fast code may write: what libav's own buffers have.
    private static let padding = 16 + 64 - 1

    init(_ memory: PictureMemory) {
        self.memory = memory
    }

    /// Has a decoder that was not opened yet use these. It must not outlive them; its pictures may.
    func serve(_ context: UnsafeMutablePointer<AVCodecContext>) {
        unsafe context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        unsafe context.pointee.get_buffer2 = getPictureThunk
        unsafe clibav_allow_calls_from_threads(context)
    }

    /// Gives back what no picture uses; the rest follows when the pictures go.
    func release() {
        let freed = state.withLock { state in
            defer { state = State() }
            return state
        }
        withExtendedLifetime(freed) {}
    }

    /// Gives a picture its buffers.
    ///
    /// - Returns: 0, or what libav calls the failure; nil if libav has to do it.
    fileprivate func fill(
        _ frame: UnsafeMutablePointer<AVFrame>, for context: UnsafeMutablePointer<AVCodecContext>
    ) -> Int32? {
        let layout = unsafe Layout(
            format: frame.pointee.format, width: frame.pointee.width, height: frame.pointee.height)
        // Their end is not for the lock.
        var former: [Plane] = []
        defer { withExtendedLifetime(former) {} }
        return state.withLock { state in
            if state.layout != layout {
                guard let planes = unsafe makePlanes(layout, context) else { return nil }
                former = state.planes
                state = State(layout: layout, planes: planes)
            }
            for (index, plane) in state.planes.enumerated() {
                guard let buffer = unsafe plane.pool.get() else {
                    unsafe av_frame_unref(frame)
                    return AVStatus.outOfMemory.rawValue
                }
                unsafe frame.set(buffer, plane: index, lineSize: plane.lineSize)
            }
            return 0
        }
    }

    /// nil if libav has to lay the picture out.
    private func makePlanes(_ layout: Layout, _ context: UnsafeMutablePointer<AVCodecContext>) -> [Plane]? {
        let format = AVPixelFormat(rawValue: layout.format)
        var (width, height) = (layout.width, layout.height)
        var lineSizes = [Int32](repeating: 0, count: PicturePools.planeLimit)
        var alignments = [Int32](repeating: 0, count: Int(AV_NUM_DATA_POINTERS))
        var sizes = [Int](repeating: 0, count: PicturePools.planeLimit)
        unsafe avcodec_align_dimensions2(context, &width, &height, &alignments)
        // A width that suits one plane may not suit the others.
        repeat {
            guard width > 0, unsafe av_image_fill_linesizes(&lineSizes, format, width) >= 0 else { return nil }
            width &+= width & -width
        } while zip(lineSizes, alignments).contains { $1 > 0 && $0 % $1 != 0 }
        guard unsafe av_image_fill_plane_sizes(&sizes, format, height, lineSizes.map(Int.init)) >= 0 else { return nil }
        var planes: [Plane] = []
        for (size, lineSize) in zip(sizes, lineSizes) where size > 0 {
            guard let pool = BufferPool(of: size + PicturePools.padding, from: memory) else { return nil }
            planes.append(Plane(pool: pool, lineSize: lineSize))
        }
        return planes.isEmpty ? nil : planes
    }
}

private func getPictureThunk(
    _ context: UnsafeMutablePointer<AVCodecContext>?, _ frame: UnsafeMutablePointer<AVFrame>?, _ flags: Int32
) -> Int32 {
    guard let context = unsafe context, let frame = unsafe frame, let owner = unsafe context.pointee.opaque,
        unsafe context.pointee.codec.pointee.capabilities & AV_CODEC_CAP_DR1 != 0,
        unsafe frame.pointee.hw_frames_ctx == nil
    else { return unsafe avcodec_default_get_buffer2(context, frame, flags) }
    let pools = unsafe Unmanaged<PicturePools>.fromOpaque(owner).takeUnretainedValue()
    return unsafe pools.fill(frame, for: context) ?? avcodec_default_get_buffer2(context, frame, flags)
}

extension UnsafeMutablePointer<AVFrame> {
    fileprivate func set(_ buffer: UnsafeMutablePointer<AVBufferRef>, plane: Int, lineSize: Int32) {
        unsafe withUnsafeMutableBytes(of: &pointee.buf) {
            unsafe $0.assumingMemoryBound(to: UnsafeMutablePointer<AVBufferRef>?.self)[plane] = unsafe buffer
        }
        unsafe withUnsafeMutableBytes(of: &pointee.data) {
            unsafe $0.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)[plane] = unsafe buffer.pointee.data
        }
        unsafe withUnsafeMutableBytes(of: &pointee.linesize) {
            unsafe $0.assumingMemoryBound(to: Int32.self)[plane] = lineSize
        }
    }
}
