// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// Writes all sound to one WAV file of 16-bit samples, with the rate and the channels of the first that is played.
///
/// Thread: the present thread.
@safe final class SoundFileSink: AudioSink {
    private let output: OutputDescriptor
    private let interrupt: Interrupt
    private var file: (muxer: Muxer, converter: SampleConverter)?
    /// Samples of each channel so far.
    private var count: Int64 = 0

    init(_ output: OutputDescriptor, interrupt: Interrupt) {
        self.output = output
        self.interrupt = interrupt
    }

    func play(_ frame: borrowing Frame, of track: Track, gain: Double) throws(PlayerError) {
        let status = unsafe frame.withUnsafePointer { unsafe write($0, gain: gain) }
        if status.isFailure { throw PlayerError(writing: "sound", to: output, status: status) }
    }

    func end() throws(PlayerError) {
        guard let file else { throw PlayerError(withoutAny: "sound", for: output) }
        do throws(AVStatus) {
            let status = unsafe file.converter.convert(nil) { unsafe append($0, to: file.muxer, file.converter) }
            try AVStatus.check(status.rawValue)
            try file.muxer.end()
        } catch {
            throw PlayerError(writing: "sound", to: output, status: error)
        }
    }

    private func write(_ frame: UnsafeMutablePointer<AVFrame>, gain: Double) -> AVStatus {
        do throws(AVStatus) {
            if file == nil { file = try unsafe begin(with: frame) }
            guard let file else { return .success }
            return unsafe file.converter.convert(frame) { samples in
                if gain != 1 {
                    for index in samples.indices {
                        unsafe samples[index] = Int16(clamping: Int((Double(samples[index]) * gain).rounded()))
                    }
                }
                return unsafe append(samples, to: file.muxer, file.converter)
            }
        } catch {
            return error
        }
    }

    private func append(
        _ samples: UnsafeMutableBufferPointer<Int16>, to muxer: Muxer, _ converter: SampleConverter
    ) -> AVStatus {
        do throws(AVStatus) {
            guard let start = UnsafeMutableRawPointer(samples.baseAddress) else { return .success }
            try unsafe muxer.write(
                start.assumingMemoryBound(to: UInt8.self), count: samples.count * MemoryLayout<Int16>.stride,
                timestamp: count)
            count += Int64(samples.count / converter.channelCount)
            return .success
        } catch {
            return error
        }
    }

    private func begin(
        with frame: UnsafeMutablePointer<AVFrame>
    ) throws(AVStatus) -> (muxer: Muxer, converter: SampleConverter) {
        let converter = try unsafe SampleConverter(for: frame)
        let bytes = try OutputBytes(output, interrupt: interrupt)
        // Past 4 GiB, which is where a WAV file ends, it becomes an RF64 file.
        let muxer = try unsafe Muxer("wav", to: bytes, options: ["rf64": "auto"]) { stream in
            unsafe stream.pointee.time_base = AVRational(num: 1, den: converter.sampleRate)
            unsafe avcodec_parameters_copy(stream.pointee.codecpar, converter.parameters)
        }
        return (muxer, converter)
    }
}
