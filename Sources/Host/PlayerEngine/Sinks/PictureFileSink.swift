// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// Writes every picture to one YUV4MPEG2 file.
///
/// The first picture says what the file is: its size, its pixel format or, where YUV4MPEG2 lacks that one, the nearest that it has.
/// Later pictures are brought to that. The file has no time stamps, so what is shown twice as long is there once.
///
/// Thread: the present thread.
@safe final class PictureFileSink: VideoSink {
    private let output: OutputDescriptor
    private let interrupt: Interrupt
    private var file: (muxer: Muxer, converter: PictureConverter)?
    private var count: Int64 = 0

    init(_ output: OutputDescriptor, interrupt: Interrupt) {
        self.output = output
        self.interrupt = interrupt
    }

    func show(_ frame: borrowing Frame, of track: Track) throws(PlayerError) {
        let status = unsafe frame.withUnsafePointer { unsafe write($0, of: track) }
        if status.isFailure { throw PlayerError(writing: "pictures", to: output, status: status) }
    }

    func end() throws(PlayerError) {
        guard let file else { throw PlayerError(withoutAny: "picture", for: output) }
        do throws(AVStatus) {
            try file.muxer.end()
        } catch {
            throw PlayerError(writing: "pictures", to: output, status: error)
        }
    }

    private func write(_ picture: UnsafeMutablePointer<AVFrame>, of track: Track) -> AVStatus {
        do throws(AVStatus) {
            if file == nil { file = try unsafe begin(with: picture, of: track) }
            guard let file else { return .success }
            let converted = try unsafe file.converter.convert(picture).get()
            // What libav calls a wrapped frame: the packet's bytes are the frame's structure.
            let bytes = unsafe UnsafeMutableRawPointer(converted).assumingMemoryBound(to: UInt8.self)
            try unsafe file.muxer.write(bytes, count: MemoryLayout<AVFrame>.size, timestamp: count)
            count += 1
            return .success
        } catch {
            return error
        }
    }

    private func begin(
        with picture: UnsafeMutablePointer<AVFrame>, of track: Track
    ) throws(AVStatus) -> (muxer: Muxer, converter: PictureConverter) {
        let format = AVPixelFormat(unsafe picture.pointee.format)
        let full = PictureFileSink.fullRange.first { $0.full == format }
        let written = full?.plain ?? PictureFileSink.nearest(to: format)
        let converter = try PictureConverter(
            width: unsafe picture.pointee.width, height: unsafe picture.pointee.height,
            format: full?.full ?? written)
        let bytes = try OutputBytes(output, interrupt: interrupt)
        let rate = unsafe track.frameRate(with: picture)
        let muxer = try unsafe Muxer("yuv4mpegpipe", to: bytes) { stream in
            unsafe stream.pointee.time_base = AVRational(num: rate.den, den: rate.num)
            unsafe stream.pointee.sample_aspect_ratio = track.sampleAspectRatio(of: picture)
            guard let parameters = unsafe stream.pointee.codecpar else { return }
            unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
            unsafe parameters.pointee.codec_id = AV_CODEC_ID_WRAPPED_AVFRAME
            unsafe parameters.pointee.format = written.rawValue
            unsafe parameters.pointee.width = picture.pointee.width
            unsafe parameters.pointee.height = picture.pointee.height
            unsafe parameters.pointee.sample_aspect_ratio = track.sampleAspectRatio(of: picture)
            unsafe parameters.pointee.field_order = track.parameters.pointee.field_order
            unsafe parameters.pointee.chroma_location = picture.pointee.chroma_location
            unsafe parameters.pointee.color_range = full == nil ? picture.pointee.color_range : AVCOL_RANGE_JPEG
        }
        return (muxer, converter)
    }

    private static func nearest(to format: AVPixelFormat) -> AVPixelFormat {
        var loss: Int32 = 0
        return unsafe avcodec_find_best_pix_fmt_of_list(formats + [AV_PIX_FMT_NONE], format, 0, &loss)
    }

    /// Formats that differ from plain ones in nothing but the range of their values, which the file says elsewhere.
    private static let fullRange: [(full: AVPixelFormat, plain: AVPixelFormat)] = [
        (AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV420P), (AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV422P),
        (AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUV444P), (AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUV411P),
    ]

    /// What the muxer takes, but for alpha, which few readers know.
    private static let formats: [AVPixelFormat] = [
        AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV411P, AV_PIX_FMT_YUV420P9LE,
        AV_PIX_FMT_YUV422P9LE, AV_PIX_FMT_YUV444P9LE, AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV422P10LE,
        AV_PIX_FMT_YUV444P10LE, AV_PIX_FMT_YUV420P12LE, AV_PIX_FMT_YUV422P12LE, AV_PIX_FMT_YUV444P12LE,
        AV_PIX_FMT_YUV420P14LE, AV_PIX_FMT_YUV422P14LE, AV_PIX_FMT_YUV444P14LE, AV_PIX_FMT_YUV420P16LE,
        AV_PIX_FMT_YUV422P16LE, AV_PIX_FMT_YUV444P16LE, AV_PIX_FMT_GRAY8, AV_PIX_FMT_GRAY9LE, AV_PIX_FMT_GRAY10LE,
        AV_PIX_FMT_GRAY12LE, AV_PIX_FMT_GRAY16LE,
    ]
}
