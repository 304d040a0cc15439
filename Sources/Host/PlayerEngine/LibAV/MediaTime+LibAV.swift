// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

extension MediaTime {
    /// A time stamp of libav; nil if it is none, or absurd: more than thirty years from zero.
    ///
    /// - Parameter origin: the time stamp that is zero.
    init?(timestamp: Int64, in timeBase: AVRational, from origin: Int64 = 0) {
        guard timestamp != clibav_no_timestamp, timeBase.num > 0, timeBase.den > 0 else { return nil }
        let (ticks, overflow) = timestamp.subtractingReportingOverflow(origin)
        let microseconds = av_rescale_q(ticks, timeBase, AVRational(num: 1, den: 1_000_000))
        guard !overflow, microseconds > -MediaTime.limit, microseconds < MediaTime.limit else { return nil }
        self.init(microseconds: microseconds)
    }

    /// A position that users asked for as one that can be reckoned with: from zero to some thirty years.
    var bounded: MediaTime { MediaTime(microseconds: min(max(0, microseconds), MediaTime.limit)) }

    private static let limit: Int64 = 1_000_000_000_000_000
}
