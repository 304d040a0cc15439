// SPDX-License-Identifier: Apache-2.0

internal import CLibAV

/// Brings samples to interleaved 16-bit integers with the rate and the channels of the first frame.
///
/// Thread: the present thread.
@safe final class SampleConverter {
    /// What comes out, as a stream says it.
    let parameters: UnsafeMutablePointer<AVCodecParameters>
    private let output: UnsafeMutablePointer<AVFrame>
    private var resampler: OpaquePointer?

    /// - Parameter frame: the first frame.
    init(for frame: UnsafeMutablePointer<AVFrame>) throws(AVStatus) {
        guard let parameters = unsafe avcodec_parameters_alloc(), let output = unsafe av_frame_alloc() else {
            throw .outOfMemory
        }
        unsafe self.parameters = parameters
        unsafe self.output = output
        unsafe resampler = swr_alloc()
        unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        unsafe parameters.pointee.codec_id = AV_CODEC_ID_PCM_S16LE
        unsafe parameters.pointee.sample_rate = frame.pointee.sample_rate
        try AVStatus.check(
            unsafe av_channel_layout_copy(&parameters.pointee.ch_layout, &frame.pointee.ch_layout))
    }

    deinit {
        unsafe swr_free(&resampler)
        var frame: UnsafeMutablePointer<AVFrame>? = unsafe output
        unsafe av_frame_free(&frame)
        var freed: UnsafeMutablePointer<AVCodecParameters>? = unsafe parameters
        unsafe avcodec_parameters_free(&freed)
    }

    var sampleRate: Int32 { unsafe parameters.pointee.sample_rate }
    var channelCount: Int { Int(unsafe parameters.pointee.ch_layout.nb_channels) }

    /// Gives the samples that can be made of a frame, or nil's: those that were kept back until more would come.
    ///
    /// - Parameter body: is called once or twice; the samples of all channels, until it returns.
    func convert(
        _ frame: UnsafeMutablePointer<AVFrame>?, _ body: (UnsafeMutableBufferPointer<Int16>) -> AVStatus
    ) -> AVStatus {
        let status = unsafe run(frame, body)
        guard status == .inputChanged else { return status }
        let rest = unsafe run(nil, body)
        guard !rest.isFailure else { return rest }
        unsafe swr_close(resampler)
        return unsafe run(frame, body)
    }

    private func run(
        _ frame: UnsafeMutablePointer<AVFrame>?, _ body: (UnsafeMutableBufferPointer<Int16>) -> AVStatus
    ) -> AVStatus {
        do throws(AVStatus) {
            unsafe av_frame_unref(output)
            unsafe output.pointee.format = AV_SAMPLE_FMT_S16.rawValue
            unsafe output.pointee.sample_rate = sampleRate
            try AVStatus.check(
                unsafe av_channel_layout_copy(&output.pointee.ch_layout, &parameters.pointee.ch_layout))
            try AVStatus.check(unsafe swr_convert_frame(resampler, output, frame))
        } catch {
            return error
        }
        let count = unsafe Int(output.pointee.nb_samples) * channelCount
        guard count > 0, let data = unsafe output.pointee.data.0 else { return .success }
        let samples = unsafe UnsafeMutableRawPointer(data).assumingMemoryBound(to: Int16.self)
        return unsafe body(UnsafeMutableBufferPointer(start: samples, count: count))
    }
}
