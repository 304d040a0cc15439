// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc
internal import MediaCore

/// Writes a line with time stamp, size and MD5 for every picture, as ffmpeg's `framemd5` does of decoded pictures.
///
/// A time that goes back, at a loop or a seek, begins a new run of lines under the same header.
///
/// Thread: the present thread.
@safe final class FrameHashSink: VideoSink {
    private let output: OutputDescriptor
    private let interrupt: Interrupt
    private var file: (bytes: OutputBytes, muxer: Muxer)?
    private var timeBase = AVRational()
    private var last = Int64.min
    private var pixels: UnsafeMutablePointer<UInt8>?
    private var capacity = 0

    init(_ output: OutputDescriptor, interrupt: Interrupt) {
        self.output = output
        self.interrupt = interrupt
    }

    deinit {
        unsafe free(pixels)
    }

    func show(_ frame: borrowing Frame, of track: Track) throws(PlayerError) {
        let time = frame.time
        let status = unsafe frame.withUnsafePointer { unsafe write($0, at: time, of: track) }
        if status.isFailure { throw PlayerError(writing: "frame hashes", to: output, status: status) }
    }

    func end() throws(PlayerError) {
        guard let file else { throw PlayerError(withoutAny: "picture", for: output) }
        do throws(AVStatus) {
            try file.muxer.end()
        } catch {
            throw PlayerError(writing: "frame hashes", to: output, status: error)
        }
    }

    private func write(_ picture: UnsafeMutablePointer<AVFrame>, at time: MediaTime, of track: Track) -> AVStatus {
        do throws(AVStatus) {
            if file == nil { timeBase = track.timeBase }
            let timestamp = unsafe timestamp(of: picture, at: time, of: track)
            let muxer = try unsafe muxer(for: timestamp, picture, of: track)
            let size = try unsafe copy(picture)
            try unsafe muxer.write(pixels.unsafelyUnwrapped, count: size, timestamp: timestamp)
            last = timestamp
            return .success
        } catch {
            return error
        }
    }

    /// In the time base that the header tells, that of the first track.
    private func timestamp(
        of picture: UnsafeMutablePointer<AVFrame>, at time: MediaTime, of track: Track
    ) -> Int64 {
        let exact = unsafe picture.pointee.best_effort_timestamp
        let timestamp = exact == clibav_no_timestamp ? track.timestamp(of: time) : exact
        return av_rescale_q(timestamp, track.timeBase, timeBase)
    }

    private func muxer(
        for timestamp: Int64, _ picture: UnsafeMutablePointer<AVFrame>, of track: Track
    ) throws(AVStatus) -> Muxer {
        if let file, timestamp >= last { return file.muxer }
        let bytes: OutputBytes
        if let file {
            bytes = file.bytes
        } else {
            bytes = try OutputBytes(output, interrupt: interrupt)
        }
        // The muxer takes no time that goes back, so another one goes on, and its header is left out.
        bytes.flush()
        bytes.isMuted = file != nil
        let (timeBase, rate) = unsafe (timeBase, track.frameRate(with: picture))
        let muxer = try unsafe Muxer("framemd5", to: bytes) { stream in
            unsafe stream.pointee.time_base = timeBase
            unsafe stream.pointee.avg_frame_rate = rate
            unsafe stream.pointee.sample_aspect_ratio = track.sampleAspectRatio(of: picture)
            guard let parameters = unsafe stream.pointee.codecpar else { return }
            unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
            unsafe parameters.pointee.codec_id = AV_CODEC_ID_RAWVIDEO
            unsafe parameters.pointee.format = picture.pointee.format
            unsafe parameters.pointee.width = picture.pointee.width
            unsafe parameters.pointee.height = picture.pointee.height
            unsafe parameters.pointee.sample_aspect_ratio = track.sampleAspectRatio(of: picture)
        }
        bytes.flush()
        bytes.isMuted = false
        file = (bytes, muxer)
        return muxer
    }

    /// Brings the picture's planes together without the gaps between their lines.
    ///
    /// - Returns: how many bytes that are.
    private func copy(_ picture: UnsafeMutablePointer<AVFrame>) throws(AVStatus) -> Int {
        let format = AVPixelFormat(unsafe picture.pointee.format)
        let (width, height) = unsafe (picture.pointee.width, picture.pointee.height)
        let size = av_image_get_buffer_size(format, width, height, 1)
        try AVStatus.check(size)
        if Int(size) > capacity {
            unsafe free(pixels)
            unsafe pixels = malloc(Int(size))?.bindMemory(to: UInt8.self, capacity: Int(size))
            capacity = unsafe pixels == nil ? 0 : Int(size)
            guard capacity > 0 else { throw .outOfMemory }
        }
        let planes = unsafe UnsafeRawPointer(picture).assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
        let status = unsafe withUnsafePointer(to: picture.pointee.linesize) { sizes in
            unsafe sizes.withMemoryRebound(to: Int32.self, capacity: 8) { sizes in
                unsafe av_image_copy_to_buffer(pixels, size, planes, sizes, format, width, height, 1)
            }
        }
        try AVStatus.check(status)
        return Int(size)
    }
}
