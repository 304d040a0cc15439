// SPDX-License-Identifier: Apache-2.0

internal import CLibAV

/// Brings pictures to one size and one pixel format.
///
/// Thread: the present thread.
@safe final class PictureConverter {
    let width: Int32
    let height: Int32
    let format: AVPixelFormat
    private let output: UnsafeMutablePointer<AVFrame>
    private var scaler: OpaquePointer?

    init(width: Int32, height: Int32, format: AVPixelFormat) throws(AVStatus) {
        self.width = width
        self.height = height
        self.format = format
        guard let frame = unsafe av_frame_alloc() else { throw .outOfMemory }
        unsafe output = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe output
        unsafe av_frame_free(&frame)
        unsafe sws_freeContext(scaler)
    }

    /// The picture itself if it is as wanted, else one that lives until the next call.
    func convert(_ picture: UnsafeMutablePointer<AVFrame>) -> Result<UnsafeMutablePointer<AVFrame>, AVStatus> {
        let source = unsafe (picture.pointee.width, picture.pointee.height, AVPixelFormat(picture.pointee.format))
        guard source != (width, height, format) else { return unsafe .success(picture) }
        do throws(AVStatus) {
            if unsafe output.pointee.width == 0 {
                unsafe output.pointee.width = width
                unsafe output.pointee.height = height
                unsafe output.pointee.format = format.rawValue
                try AVStatus.check(unsafe av_frame_get_buffer(output, 0))
            }
            unsafe scaler = sws_getCachedContext(
                scaler, source.0, source.1, source.2, width, height, format, SWS_BICUBIC, nil, nil, nil)
            guard let scaler = unsafe scaler else { throw AVStatus(errno: EINVAL) }
            try AVStatus.check(unsafe sws_scale_frame(scaler, output, picture))
            return unsafe .success(output)
        } catch {
            return unsafe .failure(error)
        }
    }
}
