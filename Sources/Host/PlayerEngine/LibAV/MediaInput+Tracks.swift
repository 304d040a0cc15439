// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

extension MediaInput {
    /// The tracks of the source that are picture, sound or text; a cover picture is none.
    var trackInfos: [TrackInfo] {
        (0..<trackCount).compactMap { index in
            guard let stream = unsafe context.pointee.streams[index], unsafe !MediaInput.isCover(stream),
                let kind = unsafe MediaInput.kind(of: stream)
            else { return nil }
            return unsafe TrackInfo(stream, kind: kind)
        }
    }

    /// A track by its index, nil if it is neither picture nor sound.
    func track(_ index: Int) -> Track? {
        guard index >= 0, index < trackCount, let stream = unsafe context.pointee.streams[index],
            unsafe !MediaInput.isCover(stream)
        else { return nil }
        switch unsafe MediaInput.kind(of: stream) {
        case .video: return unsafe Track(stream, kind: .video, origin: origin)
        case .audio: return unsafe Track(stream, kind: .audio, origin: origin)
        case .subtitle, nil: return nil
        }
    }

    /// The track of a kind that is wanted most, nil if there is none: one that can be decoded before one that cannot, then the
    /// preferred one, then what libav deems best.
    func selectTrack(_ kind: Track.Kind, relatedTo other: Track?, preferring preference: TrackPreference) -> Track? {
        let candidates = trackInfos.filter { $0.kind.rawValue == kind.infoKind.rawValue }
        let wanted =
            switch kind {
            case .video: preference.rendition(of: candidates)
            case .audio: preference.speech(of: candidates)
            }
        if let wanted, let track = track(wanted.index), track.hasDecoder { return track }
        let best = unsafe av_find_best_stream(context, kind.mediaType, -1, Int32(other?.index ?? -1), nil, 0)
        return track(Int(best))
    }

    /// Has the demuxer leave out every track but these.
    func discardAll(but tracks: [Track]) {
        for index in 0..<trackCount {
            let isWanted = tracks.contains { $0.index == index }
            unsafe context.pointee.streams[index]?.pointee.discard = isWanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    private static func isCover(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    }

    private static func kind(of stream: UnsafeMutablePointer<AVStream>) -> TrackInfo.Kind? {
        guard let parameters = unsafe stream.pointee.codecpar else { return nil }
        switch unsafe parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: return .video
        case AVMEDIA_TYPE_AUDIO: return .audio
        case AVMEDIA_TYPE_SUBTITLE: return .subtitle
        default: return nil
        }
    }
}

extension TrackInfo {
    init(_ stream: UnsafeMutablePointer<AVStream>, kind: TrackInfo.Kind) {
        self.init(
            index: Int(unsafe stream.pointee.index), kind: kind,
            codec: unsafe Track.name(of: stream.pointee.codecpar))
        func known(_ value: Int64) -> Int64? { value > 0 ? value : nil }
        func tag(_ name: String, _ tags: OpaquePointer?) -> String? {
            guard let entry = unsafe av_dict_get(tags, name, nil, 0), let value = unsafe entry.pointee.value else {
                return nil
            }
            let text = unsafe String(cString: value)
            return text.isEmpty ? nil : String(text.prefix(TrackInfo.textLimit))
        }
        let metadata = unsafe stream.pointee.metadata
        if kind == .video {
            width = known(Int64(unsafe stream.pointee.codecpar.pointee.width)).map(Int.init)
            height = known(Int64(unsafe stream.pointee.codecpar.pointee.height)).map(Int.init)
        }
        // A playlist tells the rate of a variant, which is that of all its tracks.
        bitrate =
            unsafe known(stream.pointee.codecpar.pointee.bit_rate)
            ?? tag("variant_bitrate", metadata).flatMap { Int64($0) }.flatMap(known)
            ?? tag("BPS", metadata).flatMap { Int64($0) }.flatMap(known)
        language = unsafe tag("language", metadata).flatMap { $0 == "und" ? nil : $0 }
        title = unsafe tag("title", metadata)
    }

    /// A tag may be as long as its container; nobody reads that much.
    private static let textLimit = 200
}

extension Track.Kind {
    var infoKind: TrackInfo.Kind {
        switch self {
        case .video: .video
        case .audio: .audio
        }
    }
}
