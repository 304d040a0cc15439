// SPDX-License-Identifier: Apache-2.0

/// One track of a prepared source. Unknown is nil, never zero.
public struct TrackInfo: Hashable, Sendable {
    /// What a track holds.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case video
        case audio
        /// Listed, not played.
        case subtitle
    }

    /// Its place in the container, from 0; names it in `selectTrack`.
    public var index: Int
    /// What it holds; only one of a kind is played.
    public var kind: Kind
    /// libav's name of the codec.
    public var codec: String
    /// Pixels, of video.
    public var width: Int?
    /// Pixels, of video.
    public var height: Int?
    /// Bits per second.
    public var bitrate: Int64?
    /// As the container tags it.
    public var language: String?
    /// What the container calls it.
    public var title: String?

    public init(index: Int, kind: Kind, codec: String) {
        self.index = index
        self.kind = kind
        self.codec = codec
    }
}

extension TrackInfo {
    /// The line for this track in the text of a `track_ready` event: eight fields with tabs between them, empty for unknown.
    var line: String {
        func flat(_ text: String?) -> String {
            (text ?? "").escapingControls
        }
        let fields = [
            String(index), kind.rawValue, flat(codec), width.map(String.init) ?? "", height.map(String.init) ?? "",
            bitrate.map(String.init) ?? "", flat(language), flat(title),
        ]
        return fields.joined(separator: "\t")
    }

    /// nil for a line that is none of a track.
    init?(line: Substring) {
        let fields = line.split(separator: "\t", maxSplits: 7, omittingEmptySubsequences: false)
        guard fields.count == 8, let index = Int(fields[0]), let kind = Kind(rawValue: String(fields[1])) else {
            return nil
        }
        func text(_ field: Substring) -> String? { field.isEmpty ? nil : String(field) }
        self.init(index: index, kind: kind, codec: String(fields[2]))
        width = Int(fields[3])
        height = Int(fields[4])
        bitrate = Int64(fields[5])
        language = text(fields[6])
        title = text(fields[7])
    }
}
