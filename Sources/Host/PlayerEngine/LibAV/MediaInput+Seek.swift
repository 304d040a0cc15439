// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

extension MediaInput {
    /// Whether reading never waits for anybody: a file of this machine.
    var isInstant: Bool { !location.isRemote && isRegularFile }

    /// Goes to where libav thinks that a track's content from `target` on can be decoded; may land later, so the caller looks.
    func seek(to target: MediaTime, in track: Track) throws(AVStatus) {
        let timestamp = track.timestamp(of: target)
        allowNextOperation()
        try AVStatus.check(
            unsafe avformat_seek_file(context, Int32(track.index), Int64.min, timestamp, timestamp, 0))
    }

    /// Goes to the beginning, also where only bytes can be counted.
    func seekToStart(of track: Track) throws(AVStatus) {
        // Content may begin before zero, and before where the container says that it begins. Where there is no index, a search for
        // the beginning itself may end behind it.
        let early = av_rescale_q(-3_600_000_000, AVRational(num: 1, den: 1_000_000), track.timeBase)
        let first = unsafe context.pointee.streams[track.index]?.pointee.start_time ?? 0
        let start = first == clibav_no_timestamp ? 0 : first
        for target in [early, start] {
            allowNextOperation()
            if unsafe avformat_seek_file(context, Int32(track.index), Int64.min, target, target, 0) >= 0 { return }
        }
        allowNextOperation()
        try AVStatus.check(unsafe av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE))
    }
}
