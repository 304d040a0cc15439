// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
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
                #expect(LeakTests.mediaThreads == [])
            }
            #expect(LeakTests.descriptorCount <= descriptors)
            #expect(LibAVPlayer.parkedCount == 0)
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
            #expect(LeakTests.mediaThreads == [])
        }
    }

    static var mediaThreads: [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return names.map { $0.trimmingCharacters(in: .newlines) }.filter {
            ["kit-demux", "kit-video", "kit-audio", "kit-present"].contains($0)
        }
    }

    static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
    }
}
