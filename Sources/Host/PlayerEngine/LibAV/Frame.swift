// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
package import MediaCore

/// One decoded unit with its place on the media timeline, or the empty shell for one.
@safe package struct Frame: ~Copyable, @unchecked Sendable {
    // Moves with its one owner.
    private let pointer: UnsafeMutablePointer<AVFrame>
    /// When it is to be presented.
    package internal(set) var time = MediaTime.zero
    /// Microseconds it lasts; at least 0.
    package internal(set) var duration: Int64 = 0

    init() {
        guard let frame = unsafe av_frame_alloc() else { fatalError("out of memory for a frame") }
        unsafe pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
        unsafe av_frame_free(&frame)
    }

    package var end: MediaTime { MediaTime(microseconds: time.microseconds + duration) }
    /// Pixels; 0 for audio.
    package var width: Int { Int(unsafe pointer.pointee.width) }
    package var height: Int { Int(unsafe pointer.pointee.height) }
    /// Samples of each channel; 0 for video.
    package var sampleCount: Int { Int(unsafe pointer.pointee.nb_samples) }

    /// Gives the content back; the shell stays.
    func clear() {
        unsafe av_frame_unref(pointer)
    }

    /// For libav calls only; the pointer dies with the frame.
    func withUnsafePointer<Result>(_ body: (UnsafeMutablePointer<AVFrame>) -> Result) -> Result {
        unsafe body(pointer)
    }
}
