// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

extension MediaInput {
    /// Whether the container's time stamps may jump, as those of broadcast streams do.
    var mayJump: Bool {
        guard let format = unsafe context.pointee.iformat else { return false }
        return unsafe format.pointee.flags & AVFMT_TS_DISCONT != 0
    }

    var isSeekable: Bool {
        guard unsafe context.pointee.ctx_flags & AVFMTCTX_UNSEEKABLE == 0 else { return false }
        guard let stream = unsafe context.pointee.pb else { return true }
        return unsafe stream.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 || isPlaylist
    }

    /// The duration that the container tells, nil if it tells none or one that its size makes implausible.
    var duration: MediaTime? {
        let longest =
            if let whole = MediaTime(
                timestamp: unsafe context.pointee.duration, in: AVRational(num: 1, den: AV_TIME_BASE))
            {
                whole
            } else {
                unsafe streams.compactMap { stream in
                    unsafe MediaTime(timestamp: stream.pointee.duration, in: stream.pointee.time_base)
                }.max()
            }
        guard let duration = longest, duration > .zero else { return nil }
        return MediaInput.isPlausible(duration, byteCount: isPlaylist ? nil : byteCount) ? duration : nil
    }

    /// More than a day at less than 1 kbit/s is a broken header, not a long film.
    static func isPlausible(_ duration: MediaTime, byteCount: Int64?) -> Bool {
        guard let byteCount, duration.microseconds > 86_400_000_000 else { return true }
        return Double(byteCount) * 8 / (Double(duration.microseconds) / 1_000_000) >= 1000
    }

    /// What the header or the probe told of everything but the tracks selected.
    func describe(video: Track?, audio: Track?) -> MediaDescription {
        MediaDescription(
            container: containerName, duration: duration, isSeekable: isSeekable, video: video?.videoDescription,
            audio: audio?.audioDescription)
    }

    /// Whether every track's parameters are in the header, so that nothing need be read ahead to decode the first frame.
    var headerSuffices: Bool {
        guard unsafe context.pointee.ctx_flags & AVFMTCTX_NOHEADER == 0, trackCount > 0, !isPlaylist else {
            return false
        }
        return unsafe streams.allSatisfy { stream in
            guard let parameters = unsafe stream.pointee.codecpar else { return false }
            return unsafe Track.isComplete(parameters)
        }
    }

    /// The size of what is read, nil if it is not known.
    private var byteCount: Int64? {
        guard let stream = unsafe context.pointee.pb else { return nil }
        let size = unsafe avio_size(stream)
        return size > 0 ? size : nil
    }

    /// Whether the bytes of the source only name where the media are.
    var isPlaylist: Bool { ["hls", "dash", "concat"].contains(containerName) }

    private var streams: [UnsafeMutablePointer<AVStream>] {
        unsafe (0..<trackCount).compactMap { unsafe context.pointee.streams[$0] }
    }
}
