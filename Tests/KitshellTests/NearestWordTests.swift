// SPDX-License-Identifier: Apache-2.0

import Testing
import kitshell

@Suite struct NearestWordTests {
    @Test(
        "A mistyped word finds the one that was meant",
        arguments: [
            ("relay", "replay"), ("paly", "play"), ("plya", "play"), ("REPLAY", "replay"), ("rep", "replay"),
            ("plugin lst", "plugin list"),
        ])
    func near(word: String, expected: String) {
        #expect(NearestWord.find(for: word, in: ["play", "replay", "plugin list", "plugin inspect"]) == expected)
    }

    @Test("A word that is far from all of them finds none", arguments: ["", "x", "movie", "transcode", "zzzz"])
    func far(word: String) {
        #expect(NearestWord.find(for: word, in: ["play", "replay", "plugin list"]) == nil)
    }

    @Test("Of two that are equally near the first is taken")
    func ties() {
        #expect(NearestWord.find(for: "cat", in: ["bat", "hat"]) == "bat")
    }

    @Test("A very long word is compared by its beginning")
    func bounded() {
        #expect(NearestWord.find(for: String(repeating: "a", count: 1_000_000), in: ["play"]) == nil)
    }
}
