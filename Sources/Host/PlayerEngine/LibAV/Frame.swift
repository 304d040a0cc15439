// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
package import MediaCore

/// One decoded unit with its place on the media timeline, the word that a segment ends, or the empty shell for either.
@safe package struct Frame: ~Copyable, MediaUnit, @unchecked Sendable {
    // Moves with its one owner.
    private let pointer: UnsafeMutablePointer<AVFrame>
    /// When it is to be presented.
    package internal(set) var time = MediaTime.zero
    /// Microseconds it lasts; at least 0.
    package internal(set) var duration: Int64 = 0
    /// What it belongs to; nil for a shell.
    var segment: Segment?
    /// It is no content: nothing of its segment follows.
    var isEnd = false

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

    /// Whether it is two fields rather than one picture.
    var isInterlaced: Bool { unsafe pointer.pointee.interlaced_frame != 0 }

    /// A rough measure of the memory that a picture takes.
    var weight: Int { width * height * 2 }

    /// Leaves out the samples before a moment that lies within the frame.
    mutating func trim(before moment: MediaTime) {
        let rate = Int64(unsafe pointer.pointee.sample_rate)
        let format = AVSampleFormat(rawValue: unsafe pointer.pointee.format)
        let channels = Int(unsafe pointer.pointee.ch_layout.nb_channels)
        guard rate > 0, channels > 0, moment > time else { return }
        let count = min(Int64(sampleCount), (moment.microseconds - time.microseconds) * rate / 1_000_000)
        let isPlanar = av_sample_fmt_is_planar(format) != 0
        let bytes = Int(count) * Int(av_get_bytes_per_sample(format)) * (isPlanar ? 1 : channels)
        let planes = isPlanar ? channels : 1
        guard count > 0, let data = unsafe pointer.pointee.extended_data else { return }
        for plane in 0..<planes { unsafe data[plane]? += bytes }
        if unsafe data != dataPlanes {
            for plane in 0..<min(planes, Int(AV_NUM_DATA_POINTERS)) { unsafe dataPlanes[plane]? += bytes }
        }
        unsafe pointer.pointee.nb_samples -= Int32(count)
        time = MediaTime(microseconds: time.microseconds + count * 1_000_000 / rate)
        duration = max(0, duration - count * 1_000_000 / rate)
    }

    /// The planes that a frame has room for in itself; more stand in `extended_data` only.
    private var dataPlanes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?> {
        unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
    }

    mutating func clear() {
        unsafe av_frame_unref(pointer)
        segment = nil
        isEnd = false
    }

    /// For libav calls only; the pointer dies with the frame.
    func withUnsafePointer<Result>(_ body: (UnsafeMutablePointer<AVFrame>) -> Result) -> Result {
        unsafe body(pointer)
    }
}
