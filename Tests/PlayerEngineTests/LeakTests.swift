// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import Synchronization
import TestSupport
import Testing

/// In a process of their own, where every thread and descriptor is theirs.
@Suite struct LeakTests {
    @Test func playersLeaveNoThreadAndNoDescriptor() async {
        await #expect(processExitsWith: .success) {
            // The first one starts what the process keeps.
            try PlayerRun().playToEnd(Fixture.path("clip.mp4"))
            let descriptors = LeakTests.descriptorCount
            for round in 0..<50 {
                let run = PlayerRun()
                try run.play(Fixture.path(round % 3 == 0 ? "clip.ts" : "clip.mp4"))
                switch round % 3 {
                case 0: run.wait("the end") { $0.playerState == .completed }
                case 1: run.wait("prepared") { $0.playerState == .prepared }
                default: break
                }
                run.player.destroy()
                LeakTests.expectNoMediaThreads()
            }
            #expect(LeakTests.descriptorCount <= descriptors)
        }
    }

    @Test func playersThatComeAndGoLeaveNothing() async {
        await #expect(processExitsWith: .success) {
            func cycle(_ count: Int) throws {
                for round in 0..<count {
                    let run = PlayerRun(.realTime)
                    try run.play(Fixture.path(round % 2 == 0 ? "long.mp4" : "long.mkv"))
                    run.wait("the first picture") { $0.type == .firstVideoFrame }
                    run.player.destroy()
                }
            }
            // The allocator takes and gives back some megabytes, as threads meet in it; what leaks adds to every round. A quarter of a
            // mebibyte is a little over one KiB a player.
            try cycle(100)
            let descriptors = LeakTests.descriptorCount
            var growth = Int.max
            for _ in 0..<6 where growth > 256 << 10 {
                let memory = LeakTests.residentBytes
                try cycle(200)
                growth = LeakTests.residentBytes - memory
            }
            LeakTests.expectNoMediaThreads()
            #expect(LeakTests.descriptorCount <= descriptors)
            #expect(growth <= 256 << 10)
        }
    }

    @Test func aPlaybackWhoseThreadDoesNotEndIsParkedUntilItDoes() async {
        await #expect(processExitsWith: .success) {
            let log = FrameLog()
            let gate = Gate()
            let isOpen = Atomic(false)
            log.atPicture(3) { gate.wait { isOpen.load(ordering: .acquiring) } }
            let run = PlayerRun(.max, sinks: log.sinks)
            try run.play(Fixture.path("clip.mp4"))
            while log.pictures.count < 3 { run.collect() }
            run.player.stop()
            #expect(run.player.state == .stopped)
            #expect(LibAVPlayer.parkedCount == 1)
            run.collect()
            let told = run.events.count
            // The player is free for another source meanwhile.
            try run.playToEnd(Fixture.path("audio-only.m4a"))
            isOpen.store(true, ordering: .releasing)
            gate.signal()
            while LibAVPlayer.parkedCount > 0 { run.collect() }
            let own = SessionID(rawValue: 1)
            #expect(!run.events[told...].contains { $0.session == own })
        }
    }

    @Test func aPlayerAtRestOwnsNoThread() async {
        await #expect(processExitsWith: .success) {
            let run = PlayerRun()
            #expect(LeakTests.mediaThreads == [])
            try run.prepare(.url(Fixture.path("clip.mp4")))
            run.wait("prepared") { $0.playerState == .prepared }
            #expect(LeakTests.mediaThreads.contains("kit-demux"))
            run.player.stop()
            LeakTests.expectNoMediaThreads()
        }
    }

    /// The kernel shows a thread for a moment after it was joined; and where the machine is too busy, a player does not wait for its end.
    static func expectNoMediaThreads() {
        #expect(Patience.wait { mediaThreads == [] && LibAVPlayer.parkedCount == 0 })
    }

    static var mediaThreads: [String] {
        ProcessResources.threads(named: "kit-demux", "kit-video", "kit-audio", "kit-present")
    }

    static var residentBytes: Int { ProcessResources.residentBytes }

    static var descriptorCount: Int { ProcessResources.descriptorCount }
}
