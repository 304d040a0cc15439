// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("A player that comes back")
struct ResetTests {
    /// Plays on a player that forgets to reset some of it, and gives it back.
    private func use(leaving parts: Set<FakePlayer.Part>) throws -> (RecycleOutcome, PlayerPool, Journal) {
        let stage = FakeStage()
        let factory = FakePlayerFactory(script: FakePlayerScript(leaves: parts))
        let warnings = Journal()
        let pool = PlayerPool(
            policy: FakePolicy.reuse(), clock: stage.clock, log: LogHub(console: { warnings.note($0) }))
        pool.setup(factory: factory)
        let lease = try pool.acquirePlayer(uniqueID: "A")
        let output = EventOutput(
            controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: stage.clock,
            queue: EventQueue())
        try lease.player.setDataSource(stage.model("https://example.com/a?token=secret"), output: output)
        var settings = PlaybackSettings()
        settings.set(rate: 2)
        settings.set(volume: 0.5)
        settings.isMuted = true
        settings.loop = .forever
        lease.player.apply(settings)
        lease.player.prepare()
        lease.player.seek(to: MediaTime(microseconds: 1_000_000), mode: .exact)
        lease.player.start()
        return (pool.recyclePlayer(lease), pool, warnings)
    }

    @Test("with something of its last use left is given up, and it is said what", arguments: FakePlayer.Part.allCases)
    func left(_ part: FakePlayer.Part) throws {
        let (outcome, pool, warnings) = try use(leaving: [part])
        #expect(outcome == .stopFailedDestroyed)
        #expect(pool.counts.resetViolations == 1 && pool.counts.idle == 0 && pool.counts.destroyed == 1)
        let said: String =
            switch part {
            case .source: "source https://example.com/a"
            case .session: "session 1"
            case .position: "position 1000000"
            case .duration: "duration 5000000"
            case .buffered: "buffered 5000000"
            case .tracks: "5 tracks"
            case .wish: "the wish to play"
            case .rate: "rate 2.0"
            case .loop: "loop forever"
            case .mute: "muted true"
            case .volume: "volume 0.5"
            }
        let lines = warnings.lines.filter { $0.contains("not as a new one") }
        #expect(lines.count == 1 && lines[0].contains("given up: \(said)"))
        #expect(!lines[0].contains("secret"))
    }

    @Test("as good as new is kept")
    func asNew() throws {
        let (outcome, pool, _) = try use(leaving: [])
        #expect(outcome == .pooled)
        #expect(pool.counts.resetViolations == 0 && pool.counts.idle == 1)
    }
}
