// SPDX-License-Identifier: Apache-2.0

import MediaCore
import TestSupport

extension PlayerRun {
    /// Plays what a server serves until it is over, and ends the server.
    static func play(
        _ server: ScriptedServer, path: String = "/clip.mp4", _ configuration: PlayerConfiguration = .init()
    ) throws -> PlayerRun {
        defer { server.end() }
        let run = PlayerRun()
        try run.playToEnd(server.url(path)) { $0.configuration = configuration }
        return run
    }
}
