// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import Sessions
import TestSupport
import Testing

/// The worked examples of the metric definitions; what monitors add is held to the same files by their tests.
@Suite struct GoldenLogTests {
    @Test(arguments: GoldenLog.all) func givesWhatIsExpected(golden: GoldenLog) throws {
        let replay = Replay(try read(log: try golden.text))
        let sessions = try JSONReader().read(replay.json)
        #expect(
            try golden.differences(from: ["sessions": sessions], leavingOut: ["first_frame", "stutter", "traffic"])
                == [])
    }

    @Test(arguments: GoldenLog.all) func recordedAgainGivesTheSameSessions(golden: GoldenLog) throws {
        let replay = Replay(try read(log: try golden.text))
        let again = Replay(try read(log: try recorded(replay.delivered)))
        #expect(again.json == replay.json)
        #expect(again.delivered == replay.delivered)
    }
}
