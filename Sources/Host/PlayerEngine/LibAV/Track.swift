// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// A track selected for play: a copy of what its decoder needs, so that it outlives the demuxer.
///
/// Thread: any; it never changes.
@safe package final class Track: @unchecked Sendable {
    enum Kind: Sendable {
        case video
        case audio

        var mediaType: AVMediaType {
            switch self {
            case .video: AVMEDIA_TYPE_VIDEO
            case .audio: AVMEDIA_TYPE_AUDIO
            }
        }
    }

    let kind: Kind
    let index: Int
    /// What a user is told of it.
    let info: TrackInfo
    let timeBase: AVRational
    /// The time stamp at which media time is zero.
    private let origin: Int64
    /// Frame rate in thousandths of a hertz.
    let framesPer1000Seconds: Int64?
    /// Frame rate as libav guesses it; numerator or denominator 0 if it cannot.
    let guessedFrameRate: AVRational
    /// Width of a pixel over its height as the container says; 0 if it does not.
    let sampleAspectRatio: AVRational
    /// Where the container says that it begins; nil if it does not say.
    let start: MediaTime?
    /// Written once before sharing, freed by the last owner.
    let parameters: UnsafeMutablePointer<AVCodecParameters>

    /// nil if libav cannot copy the parameters: out of memory.
    ///
    /// - Parameter origin: where on the container's own timeline media time is zero, in microseconds.
    init?(_ stream: UnsafeMutablePointer<AVStream>, kind: Kind, origin: Int64) {
        self.kind = kind
        index = Int(unsafe stream.pointee.index)
        unsafe info = TrackInfo(stream, kind: kind.infoKind)
        unsafe timeBase = stream.pointee.time_base
        self.origin = av_rescale_q(origin, AVRational(num: 1, den: 1_000_000), timeBase)
        start = unsafe MediaTime(timestamp: stream.pointee.start_time, in: timeBase, from: self.origin)
        unsafe framesPer1000Seconds = kind == .video ? Track.frameRate(stream) : nil
        unsafe guessedFrameRate = av_guess_frame_rate(nil, stream, nil)
        unsafe sampleAspectRatio = stream.pointee.sample_aspect_ratio
        guard let copy = unsafe avcodec_parameters_alloc() else { return nil }
        unsafe parameters = copy
        guard unsafe avcodec_parameters_copy(copy, stream.pointee.codecpar) >= 0 else { return nil }
    }

    deinit {
        var freed: UnsafeMutablePointer<AVCodecParameters>? = unsafe parameters
        unsafe avcodec_parameters_free(&freed)
    }

    /// Where a time stamp of the track lies; nil if it is none.
    func time(_ timestamp: Int64) -> MediaTime? {
        MediaTime(timestamp: timestamp, in: timeBase, from: origin)
    }

    /// The time stamp of a position, or the last one before it.
    func timestamp(of time: MediaTime) -> Int64 {
        let ticks = av_rescale_q_rnd(
            time.microseconds, AVRational(num: 1, den: 1_000_000), timeBase, AV_ROUND_DOWN)
        let (timestamp, overflow) = ticks.addingReportingOverflow(origin)
        return overflow ? ticks : timestamp
    }

    var codecName: String { info.codec }

    /// libav's name of a codec; of one that it does not know, what the container calls it.
    static func name(of parameters: UnsafeMutablePointer<AVCodecParameters>) -> String {
        let (codec, tag) = unsafe (parameters.pointee.codec_id, parameters.pointee.codec_tag)
        guard codec == AV_CODEC_ID_NONE else { return unsafe String(cString: avcodec_get_name(codec)) }
        let letters = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }
        let isText = letters.allSatisfy { (0x20..<0x7F).contains($0) }
        return isText ? String(decoding: letters, as: UTF8.self) : "an unknown codec"
    }

    /// Whether this libav can decode it.
    var hasDecoder: Bool { unsafe avcodec_find_decoder(parameters.pointee.codec_id) != nil }

    var videoDescription: VideoDescription {
        VideoDescription(
            codec: codecName, width: Int(unsafe parameters.pointee.width),
            height: Int(unsafe parameters.pointee.height), framesPer1000Seconds: framesPer1000Seconds)
    }

    var audioDescription: AudioDescription {
        AudioDescription(
            codec: codecName, sampleRate: Int(unsafe parameters.pointee.sample_rate),
            channels: Int(unsafe parameters.pointee.ch_layout.nb_channels))
    }

    /// Half a tick of the time base in microseconds, rounded up: by so much a time stamp may miss what it stands for.
    var tolerance: Int64 {
        guard timeBase.num > 0, timeBase.den > 0 else { return 0 }
        return (Int64(timeBase.num) * 500_000 + Int64(timeBase.den) - 1) / Int64(timeBase.den)
    }

    /// Whether a decoder may hold the first picture back because one that comes later may belong before it.
    var mayReorder: Bool {
        guard let codec = unsafe avcodec_descriptor_get(parameters.pointee.codec_id) else { return true }
        return unsafe codec.pointee.props & AV_CODEC_PROP_REORDER != 0
    }

    /// Whether a picture may come as two fields, in packets of their own.
    var mayHaveFields: Bool {
        unsafe parameters.pointee.field_order != AV_FIELD_PROGRESSIVE
            && parameters.pointee.field_order != AV_FIELD_UNKNOWN
    }

    /// Average rate, else the lowest that fits all time stamps, else frames over duration; nil if none is believable.
    private static func frameRate(_ stream: UnsafeMutablePointer<AVStream>) -> Int64? {
        let (average, lowest) = unsafe (stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate)
        if let rate = thousandths(average) ?? thousandths(lowest) { return rate }
        let (count, length, timeBase) = unsafe (
            stream.pointee.nb_frames, stream.pointee.duration, stream.pointee.time_base
        )
        guard count > 1, let duration = MediaTime(timestamp: length, in: timeBase), duration > .zero else { return nil }
        return believable(Double(count) * 1_000_000_000 / Double(duration.microseconds))
    }

    private static func thousandths(_ rate: AVRational) -> Int64? {
        rate.num > 0 && rate.den > 0 ? believable(Double(rate.num) * 1000 / Double(rate.den)) : nil
    }

    private static func believable(_ thousandths: Double) -> Int64? {
        (1...1_000_000).contains(thousandths) ? Int64(thousandths.rounded()) : nil
    }

    /// Whether a decoder can be opened from these parameters alone.
    static func isComplete(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
        let (codec, setupSize) = unsafe (parameters.pointee.codec_id, parameters.pointee.extradata_size)
        let isSetUp = setupSize > 0 || selfContained.contains { $0 == codec }
        switch unsafe parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            return unsafe isSetUp && parameters.pointee.width > 0 && parameters.pointee.height > 0
        case AVMEDIA_TYPE_AUDIO:
            return unsafe isSetUp && parameters.pointee.sample_rate > 0 && parameters.pointee.ch_layout.nb_channels > 0
        default:
            return true
        }
    }

    /// Codecs whose packets say all that their decoder needs.
    private static let selfContained: [AVCodecID] = [
        AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_VVC, AV_CODEC_ID_MJPEG, AV_CODEC_ID_MP3,
        AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3, AV_CODEC_ID_PCM_S16LE,
    ]
}
