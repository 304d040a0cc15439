// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import TestSupport
import Testing

@Suite("Tracks by preference")
struct TrackSelectionTests {
    struct Wish: Sendable {
        var height: Int?
        var bitrate: Int64?
        var language: String?
        var commands: [String]
    }

    @Test(
        "are those that suit best, and what is not named stays",
        arguments: [
            Wish(height: 400, commands: ["selectTrack 4"]),
            Wish(height: 100, commands: ["selectTrack 4"]),
            Wish(bitrate: 2_000_000, commands: ["selectTrack 0"]),
            Wish(language: "de", commands: ["selectTrack 2"]),
            Wish(height: 1080, bitrate: 1_000_000, language: "en", commands: ["selectTrack 4", "selectTrack 1"]),
        ])
    func choice(_ wish: Wish) {
        let stage = FakeStage()
        let controller = PlayerController(environment: stage.environment)
        controller.configure(stage.model())
        let player = stage.factory.players[0]
        let told = player.commands.count
        var preference = TrackPreference()
        preference.maxHeight = wish.height
        preference.maxBitrate = wish.bitrate
        preference.language = wish.language
        #expect(controller.selectTrack(preferring: preference) == .performed)
        #expect(Array(player.commands.dropFirst(told)) == wish.commands)
        controller.destroy()
    }
}
