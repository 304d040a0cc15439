// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
package import MediaCore

extension SinkFactory {
    /// Outputs to files, for one playback: a second one would write over the first.
    ///
    /// - Parameters:
    ///   - pictures: gets them as YUV4MPEG2; nil: nothing does.
    ///   - sound: gets it as WAV.
    ///   - frameHashes: gets a line for each picture.
    package static func files(
        pictures: OutputDescriptor?, sound: OutputDescriptor?, frameHashes: OutputDescriptor?,
        onFailure: @escaping @Sendable (PlayerError) -> Void
    ) -> SinkFactory {
        SinkFactory(
            makeVideoSinks: { interrupt in
                var sinks: [any VideoSink] = []
                if let pictures { sinks.append(PictureFileSink(pictures, interrupt: interrupt)) }
                if let frameHashes { sinks.append(FrameHashSink(frameHashes, interrupt: interrupt)) }
                return sinks
            },
            makeAudioSinks: { interrupt in
                if let sound { [SoundFileSink(sound, interrupt: interrupt)] } else { [] }
            },
            onFailure: onFailure)
    }
}

extension PlayerError {
    /// - Parameter what: is being written: `pictures`, `sound`.
    init(writing what: String, to output: OutputDescriptor, status: AVStatus) {
        self.init(
            .sinkFailed, "The \(what) could not be written to \(output.name)",
            hint: "Free some space or write elsewhere; playback went on without it.", cause: status.description)
    }

    /// - Parameter what: has been waited for in vain: `picture`, `sound`.
    init(withoutAny what: String, for output: OutputDescriptor) {
        self.init(
            .sinkFailed, "No \(what) was presented, so \(output.name) is empty",
            hint: "Check in the report what the source has and how far it was played.")
    }
}

extension Track {
    /// Frame rate for outputs that must tell one: libav's guess, else what a picture says of itself, else 25 a second as ffmpeg has it.
    func frameRate(with picture: UnsafeMutablePointer<AVFrame>) -> AVRational {
        if guessedFrameRate.num > 0 && guessedFrameRate.den > 0 { return guessedFrameRate }
        let duration = unsafe picture.pointee.pkt_duration
        guard duration > 0, duration <= Int64(Int32.max), timeBase.num > 0, timeBase.den > 0 else {
            return AVRational(num: 25, den: 1)
        }
        return av_inv_q(av_mul_q(AVRational(num: Int32(duration), den: 1), timeBase))
    }

    /// Width of a pixel over its height: what the container says counts before what the picture says.
    func sampleAspectRatio(of picture: UnsafeMutablePointer<AVFrame>) -> AVRational {
        sampleAspectRatio.num != 0 ? sampleAspectRatio : unsafe picture.pointee.sample_aspect_ratio
    }
}
