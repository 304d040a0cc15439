// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerEngine
import TestSupport
import Testing

/// Which decoders are kept, for whom and how long.
@Suite struct DecoderShelfTests {
    /// Plays a source to its end and has the player reset.
    ///
    /// - Returns: what that changed.
    private func play(_ run: PlayerRun, _ name: String, threads: Int = 2) throws -> (opened: Int, reused: Int) {
        let before = run.shelf.figures
        try run.playToEnd(Fixture.path(name)) { $0.configuration.decoderThreads = threads }
        #expect(run.states.last == .completed)
        run.player.reset()
        let after = run.shelf.figures
        return (after.opened - before.opened, after.reused - before.reused)
    }

    private func makeFactory() -> LibAVPlayerFactory { LibAVPlayerFactory(clock: VirtualClock()) }

    @Test func aSourceThatNeedsTheSameOpensNoDecoderOfPictures() throws {
        let run = PlayerRun(factory: makeFactory())
        // One for the first picture, one for the others.
        #expect(try play(run, "video-only.mp4", threads: 1) == (2, 0))
        #expect(run.shelf.figures.kept == 2)
        #expect(try play(run, "video-only.mp4", threads: 1) == (0, 2))
        // The same pictures in the same container. The decoder of sound is never kept.
        #expect(try play(run, "clip.mp4", threads: 1) == (1, 2))
        #expect(try play(run, "clip.mp4", threads: 1) == (1, 2))
    }

    @Test func aDecoderThatHasThreadsIsNotKept() throws {
        let run = PlayerRun(factory: makeFactory())
        #expect(try play(run, "video-only.mp4") == (2, 0))
        #expect(run.shelf.figures.kept == 1)
        // The one for the first picture has none.
        #expect(try play(run, "video-only.mp4") == (1, 1))
    }

    @Test func whatNeedsAnotherOneGetsANewOne() throws {
        let run = PlayerRun(factory: makeFactory())
        #expect(try play(run, "video-only.mp4") == (2, 0))
        // Pictures of another size, and sound.
        #expect(try play(run, "long.mp4") == (3, 0))
        // Without parameters in front.
        #expect(try play(run, "clip.ts").reused == 0)
    }

    @Test func playersOfAFactoryShareWhatIsKept() throws {
        let factory = makeFactory()
        let (one, other) = (PlayerRun(factory: factory), PlayerRun(factory: factory))
        #expect(try play(one, "video-only.mp4") == (2, 0))
        #expect(try play(other, "video-only.mp4") == (1, 1))
        #expect(try play(PlayerRun(factory: makeFactory()), "video-only.mp4") == (2, 0))
    }

    @Test func onlyFewAreKept() throws {
        let factory = makeFactory()
        // Each opens its own, since all play at the same time.
        let runs = (0..<6).map { _ in PlayerRun(factory: factory) }
        for run in runs { try run.prepare(.url(Fixture.path("video-only.mp4"))) }
        for run in runs { run.player.preview() }
        for run in runs { run.wait("a preview") { $0.type == .firstVideoFrame } }
        for run in runs { run.player.stop() }
        #expect(factory.shelf.figures.kept == 4)
    }

    @Test func aPlayerThatIsDestroyedLeavesNothing() throws {
        let factory = makeFactory()
        let (one, other) = (PlayerRun(factory: factory), PlayerRun(factory: factory))
        _ = try play(one, "video-only.mp4")
        try other.play(Fixture.path("long.mp4"))
        other.waitForEnd()
        other.player.stop()
        #expect(factory.shelf.figures.kept == 2)
        other.player.destroy()
        #expect(factory.shelf.figures.kept == 1)
        one.player.destroy()
        #expect(factory.shelf.figures.kept == 0)
        // Nor one that is destroyed while it plays.
        let third = PlayerRun(factory: factory)
        try third.prepare(.url(Fixture.path("video-only.mp4")))
        third.player.preview()
        third.wait("a preview") { $0.type == .firstVideoFrame }
        third.player.destroy()
        #expect(factory.shelf.figures.kept == 0)
    }

    @Test func oneThatHasFailedIsNotKept() throws {
        let run = PlayerRun(factory: makeFactory())
        try run.playToEnd(Fixture.path("damaged.mp4")) { $0.configuration.decoderThreads = 1 }
        #expect(run.failures.contains { $0.error.code == .badData })
        run.player.reset()
        // The other one made the first picture only, which is whole.
        #expect(run.shelf.figures.kept == 1)
    }

    @Test func whatIsKeptIsGivenUpWhereMemoryIsShort() throws {
        let factory = makeFactory()
        _ = try play(PlayerRun(factory: factory), "long.mp4")
        let run = PlayerRun(factory: factory)
        _ = try play(run, "video-only.mp4")
        #expect(factory.shelf.figures.kept == 1 && factory.shelf.pictureBytes > 0)
        factory.relieve()
        #expect(factory.shelf.figures.kept == 0 && factory.shelf.pictureBytes == 0)
        #expect(try play(run, "video-only.mp4") == (2, 0))
    }

    @Test func picturesAreMadeInMemoryOfOthers() throws {
        let factory = makeFactory()
        let run = PlayerRun(factory: factory)
        _ = try play(run, "video-only.mp4")
        let kept = factory.shelf.pictureBytes
        #expect(kept > 0)
        for _ in 0..<3 { _ = try play(run, "video-only.mp4") }
        // No more than at the first time, give or take what threads had at once.
        #expect(factory.shelf.pictureBytes <= 2 * kept)
    }
}
