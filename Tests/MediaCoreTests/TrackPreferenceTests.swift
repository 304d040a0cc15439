// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Testing

@Suite struct TrackPreferenceTests {
    private static func video(_ index: Int, _ height: Int?, _ bitrate: Int64?) -> TrackInfo {
        var track = TrackInfo(index: index, kind: .video, codec: "x")
        track.height = height
        track.bitrate = bitrate
        return track
    }

    private static func audio(_ index: Int, _ language: String?) -> TrackInfo {
        var track = TrackInfo(index: index, kind: .audio, codec: "x")
        track.language = language
        return track
    }

    private static let videos = [
        video(0, 360, 400_000), video(1, 720, 1_500_000), video(2, 720, 3_000_000), video(3, 1080, 5_000_000),
        video(4, nil, nil),
    ]

    struct Limit: Sendable {
        var height: Int?
        var bitrate: Int64?
        var index: Int?
    }

    @Test(arguments: [
        Limit(height: 720, index: 2), Limit(height: 1079, index: 2), Limit(height: 4000, index: 3),
        Limit(bitrate: 1_500_000, index: 1), Limit(bitrate: 2_999_999, index: 1),
        Limit(height: 500, bitrate: 5_000_000, index: 0), Limit(height: 1080, bitrate: 450_000, index: 0),
        Limit(index: nil),
    ])
    func theHighestWithinTheLimitsIsChosen(_ limit: Limit) {
        var preference = TrackPreference()
        preference.maxHeight = limit.height
        preference.maxBitrate = limit.bitrate
        #expect(preference.rendition(of: TrackPreferenceTests.videos)?.index == limit.index)
    }

    @Test func ofTracksThatAreAllBeyondTheLimitTheLowestIsChosen() {
        var preference = TrackPreference()
        preference.maxHeight = 100
        #expect(preference.rendition(of: Array(TrackPreferenceTests.videos.prefix(4)))?.index == 0)
        #expect(preference.rendition(of: []) == nil)
    }

    @Test(arguments: [
        ("en", 1), ("eng", 1), ("EN", 1), ("en-GB", 2), ("de", 3), ("ger", 3), ("deu", 3), ("pt", 4), ("pt_BR", 4),
        ("pt-PT", nil), ("fr", nil), ("", nil), ("e", nil),
    ])
    func theFirstInTheLanguageIsChosen(_ language: String, _ index: Int?) {
        var preference = TrackPreference()
        preference.language = language
        let audios = [nil, "eng", "en-GB", "ger", "pt-br"].enumerated().map { TrackPreferenceTests.audio($0, $1) }
        #expect(preference.speech(of: audios)?.index == index)
    }

    @Test func withoutALanguageNoneIsPreferred() {
        #expect(TrackPreference().speech(of: [TrackPreferenceTests.audio(0, "en")]) == nil)
    }
}
