// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import Glibc

extension Track {
    /// Whether a decoder that was flushed is as good as a new one: the parameters and the packets from a key frame on are all that it has
    /// to know. Those of sound are none: some make noise from what they have made before, and opening one takes no time.
    var isSelfContained: Bool {
        switch unsafe parameters.pointee.codec_id {
        // Without the parameter sets in front, those of the former stream would be taken for its own.
        case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC: unsafe parameters.pointee.extradata_size > 0
        case AV_CODEC_ID_VP9: true
        default: false
        }
    }

    /// Whether a decoder of pictures would be opened for it just as for another track.
    func hasSameParameters(as other: Track) -> Bool {
        guard setUp == other.setUp else { return false }
        let (one, two) = unsafe (parameters.pointee, other.parameters.pointee)
        guard unsafe one.extradata_size == two.extradata_size else { return false }
        guard let left = unsafe one.extradata, let right = unsafe two.extradata else {
            return unsafe one.extradata == nil && two.extradata == nil
        }
        return unsafe memcmp(left, right, Int(one.extradata_size)) == 0
    }

    /// What a decoder of pictures is told besides the extra data. The bit rate is none of it.
    private var setUp: [Int64] {
        let one = unsafe parameters.pointee
        return unsafe [
            Int64(one.codec_type.rawValue), Int64(one.codec_id.rawValue), Int64(one.codec_tag), Int64(one.format),
            Int64(one.profile), Int64(one.level), Int64(one.bits_per_coded_sample), Int64(one.bits_per_raw_sample),
            Int64(one.width), Int64(one.height), Int64(one.field_order.rawValue), Int64(one.video_delay),
            Int64(one.sample_aspect_ratio.num), Int64(one.sample_aspect_ratio.den), Int64(one.color_range.rawValue),
            Int64(one.color_primaries.rawValue), Int64(one.color_trc.rawValue), Int64(one.color_space.rawValue),
            Int64(one.chroma_location.rawValue), Int64(timeBase.num), Int64(timeBase.den),
        ]
    }

    /// Has a packet tell its decoder once more what the track says in front, unless it tells something newer.
    ///
    /// - Returns: 0, or what libav calls the failure.
    func setUp(again packet: UnsafeMutablePointer<AVPacket>) -> Int32 {
        let size = unsafe Int(parameters.pointee.extradata_size)
        guard size > 0, let extra = unsafe parameters.pointee.extradata,
            unsafe av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, nil) == nil
        else { return 0 }
        guard let copy = unsafe av_packet_new_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, size) else {
            return AVStatus.outOfMemory.rawValue
        }
        unsafe memcpy(copy, extra, size)
        return 0
    }
}
