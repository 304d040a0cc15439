// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// An open decoder of one track.
///
/// Thread: one at a time, the decode thread of its track.
@safe final class Decoder: @unchecked Sendable {
    /// What a call left the decoder in.
    enum Outcome {
        /// A frame was received.
        case frame
        /// It needs another packet first.
        case needsPacket
        /// Everything that went in has come out.
        case end
        /// It could not make anything of what it was given; the next packet may do.
        case failed(AVStatus)
    }

    /// How many threads decode the video of one playback.
    static func threads(_ configuration: PlayerConfiguration) -> Int {
        min(max(1, configuration.decoderThreads ?? Int(av_cpu_count())), 16)
    }

    private let context: UnsafeMutablePointer<AVCodecContext>
    private var track: Track
    private let threads: Int
    private let pools: PicturePools
    /// It has failed at something since it was opened.
    private var isDoubtful = false
    /// It goes on with another source, and has been given nothing of it.
    private var isBeginning = false
    /// Where the frame after the newest one is expected: what a frame without a time stamp gets.
    private var expected: MediaTime?

    private static let assumedFrameDuration: Int64 = 40_000
    private static let longestFrameDuration: Int64 = 10_000_000

    /// More than any picture that is played has, less than what brings a machine down.
    private static let pixelLimit: Int64 = 1 << 27

    /// - Parameters:
    ///   - threads: how many decode; more than one hold as many pictures back.
    ///   - pictures: the memory of its pictures.
    /// - Throws: what libav said; the stream cannot be decoded then.
    init(_ track: Track, threads: Int, pictures: PictureMemory) throws(AVStatus) {
        self.track = track
        self.threads = threads
        pools = PicturePools(pictures)
        guard let codec = unsafe avcodec_find_decoder(track.parameters.pointee.codec_id),
            let made = unsafe avcodec_alloc_context3(codec)
        else { throw .outOfMemory }
        unsafe context = made
        try AVStatus.check(unsafe avcodec_parameters_to_context(made, track.parameters))
        unsafe made.pointee.pkt_timebase = track.timeBase
        unsafe made.pointee.thread_count = Int32(threads)
        unsafe made.pointee.max_pixels = Decoder.pixelLimit
        if unsafe track.parameters.pointee.codec_id == AV_CODEC_ID_H264 {
            // Where the stream does not say how far it reorders, H.264's own bound counts; guessing from what was seen loses frames.
            unsafe made.pointee.strict_std_compliance = FF_COMPLIANCE_STRICT
        }
        if track.kind == .video { unsafe pools.serve(made) }
        try AVStatus.check(unsafe avcodec_open2(made, codec, nil))
    }

    deinit {
        var freed: UnsafeMutablePointer<AVCodecContext>? = unsafe context
        unsafe avcodec_free_context(&freed)
    }

    /// Gives the decoder a packet. Only after `receive` has said `needsPacket`.
    func send(_ packet: borrowing Packet) throws(AVStatus) {
        if isBeginning {
            isBeginning = false
            // A source may have changed in its packets what its container said.
            try AVStatus.check(unsafe packet.withUnsafePointer { unsafe track.setUp(again: $0) })
        }
        let status = unsafe packet.withUnsafePointer { unsafe avcodec_send_packet(context, $0) }
        if status < 0 { isDoubtful = true }
        try AVStatus.check(status)
    }

    /// Says that no packet will follow; the frames held back come out.
    func sendEnd() {
        unsafe avcodec_send_packet(context, nil)
    }

    /// Forgets everything that went in: what comes next begins anew.
    func flush() {
        unsafe avcodec_flush_buffers(context)
        expected = nil
    }

    /// Takes the next frame into an empty shell and finds its place on the timeline.
    func receive(into frame: inout Frame) -> Outcome {
        let status = AVStatus(rawValue: unsafe frame.withUnsafePointer { unsafe avcodec_receive_frame(context, $0) })
        switch status {
        case .tryAgain: return .needsPacket
        case .endOfFile: return .end
        case let failure where failure.isFailure:
            isDoubtful = true
            return .failed(failure)
        default: break
        }
        let (timestamp, duration, rate) = unsafe frame.withUnsafePointer {
            unsafe ($0.pointee.best_effort_timestamp, $0.pointee.pkt_duration, $0.pointee.sample_rate)
        }
        frame.time = track.time(timestamp) ?? expected ?? .zero
        frame.duration = length(of: frame, packetDuration: duration, sampleRate: rate)
        expected = frame.end
        return .frame
    }

    // MARK: Another source

    /// Whether it may go on with another source: it owns no thread, and forgets all of the former one.
    var isReusable: Bool { threads == 1 && !isDoubtful && track.isSelfContained }

    /// Bytes that it holds while it rests, by an estimate from measurements: one a pixel, or two.
    var weight: Int {
        unsafe Int(context.pointee.width) * Int(context.pointee.height) * 2
    }

    /// Whether it was opened as a track needs it.
    func fits(_ other: Track, threads: Int) -> Bool { self.threads == threads && track.hasSameParameters(as: other) }

    /// Lets go of its pictures and packets, and of their memory.
    func rest() {
        flush()
        pools.release()
    }

    /// Begins anew with a track that it fits.
    func begin(_ other: Track) {
        track = other
        isBeginning = true
    }

    private func length(of frame: borrowing Frame, packetDuration: Int64, sampleRate: Int32) -> Int64 {
        let known: Int64? =
            switch track.kind {
            case .audio: sampleRate > 0 ? Int64(frame.sampleCount) * 1_000_000 / Int64(sampleRate) : nil
            case .video:
                MediaTime(timestamp: packetDuration, in: track.timeBase).map(\.microseconds).flatMap {
                    $0 > 0 ? $0 : nil
                }
                    ?? track.framesPer1000Seconds.map { 1_000_000_000 / $0 }
            }
        return min(max(0, known ?? Decoder.assumedFrameDuration), Decoder.longestFrameDuration)
    }
}
