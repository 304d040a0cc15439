// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Testing

/// What goes into an event comes out of it.
@Suite struct PlayerEventTests {
    @Test(arguments: [
        ("a.mp4", "file:/a.mp4"), ("", "x"), ("a", ""), ("你", "好"),
        // Together these are one character across the boundary.
        ("a\u{600}", "file:/a\u{600}"), ("e", "\u{301}x"), ("\r", "\n"), ("👩\u{200d}", "👧"),
    ])
    func sourceAndIdentityStayApart(source: String, uniqueID: String) {
        let request = PlayerEvent.request(
            source: source, uniqueID: uniqueID, player: nil, instance: .unknown, continuedFrom: nil)
        #expect(request.source.map { Array($0.utf8) } == Array(source.utf8))
        #expect(request.uniqueID.map { Array($0.utf8) } == Array(uniqueID.utf8))
    }

    @Test(arguments: [(-1, ""), (0, ""), (1, ""), (3, "你"), (4, "你"), (7, "你好"), (Int64.max, "你好")])
    func aSplitThatIsNoneIsRoundedDown(bytes: Int64, source: String) {
        var request = PlayerEvent.request(
            source: "", uniqueID: "你好", player: nil, instance: .unknown, continuedFrom: nil)
        request.values[0] = bytes
        #expect(request.source == source)
        #expect((request.source ?? "") + (request.uniqueID ?? "") == "你好")
    }

    @Test func lineFeedsInAnErrorDoNotMoveItsParts() throws {
        let error = PlayerError(.readFailed, "a\nb\r\nc", hint: "d\ne")
        let told = try #require(PlayerEvent.error(error, isFatal: true).failure)
        #expect(told.isFatal && told.error.code == .readFailed && told.error.code.name == "io.read_failed")
        #expect(told.error.message == "a\\nb\\r\\nc")
        #expect(told.error.hint == "d\\ne")
    }
}
