// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerEngine
import Testing

/// Plays every file under `KIT_MEDIA_DIR`: each comes to an end of its own, at full speed and in its own time.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["KIT_MEDIA_DIR"] != nil), .serialized)
struct MediaDirectoryTests {
    static let files: [String] = {
        guard let directory = ProcessInfo.processInfo.environment["KIT_MEDIA_DIR"] else { return [] }
        let names = FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
        return names.map { directory + "/" + $0 }.sorted()
    }()

    @Test(arguments: files)
    func everySourcePlaysOrFailsTyped(_ path: String) throws {
        let run = PlayerRun(.max)
        try run.playToEnd(path)
        let end = run.events.last { $0.type == .position }?.position?.milliseconds
        let failures = run.failures.map { "\($0.isFatal ? "fatal" : "error") \($0.error)" }
        print(
            "\(path): \(run.states.last.map { "\($0)" } ?? "?") \(run.counts)",
            "first \(run.firstPicture?.milliseconds ?? -1) end \(end ?? -1)",
            "duration \(run.media?.duration?.milliseconds ?? -1) fps \(run.media?.video?.framesPer1000Seconds ?? -1)",
            failures)
        #expect(run.states.last == .completed || run.failures.contains { $0.isFatal })
    }
}
