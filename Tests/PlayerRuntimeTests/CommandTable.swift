// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import TestSupport

/// What each command does in each state: the table of `docs/commands.md` as data.
enum CommandTable {
    /// What the controller is in when the command comes. The raw value heads the column.
    enum Situation: String, CaseIterable, CustomStringConvertible {
        case noPlayer = "no player"
        case preparing, prepared, playing, paused, completed, stopped, error, background, destroyed

        var description: String { rawValue }
    }

    /// What a command does. The raw value is the word in the table.
    enum Effect: String {
        case nothing = "–"
        case kept
        case start, pause, seek, track, apply
        case opens = "new session"
        case ends = "end"
        case destroys = "destroy"
    }

    struct Row: CustomStringConvertible {
        var command: String
        var give: @Sendable (PlayerController, FakeStage) -> CommandResult
        var effects: [Effect]

        var description: String { command }

        init(
            _ command: String, _ effects: [Effect],
            _ give: @escaping @Sendable (PlayerController, FakeStage) -> CommandResult
        ) {
            self.command = command
            self.give = give
            self.effects = effects
        }

        func effect(in situation: Situation) -> Effect {
            effects[Situation.allCases.firstIndex(of: situation) ?? 0]
        }

        /// The row as the document has it.
        var text: String { "| `\(command)` | " + effects.map(\.rawValue).joined(separator: " | ") + " |" }
    }

    static let head = "| | " + Situation.allCases.map(\.rawValue).joined(separator: " | ") + " |"

    private static let settings: [Effect] = [
        .kept, .apply, .apply, .apply, .apply, .kept, .kept, .kept, .apply, .nothing,
    ]

    static let rows = [
        Row("configure", [.opens, .opens, .opens, .opens, .opens, .opens, .opens, .opens, .opens, .nothing]) {
            $0.configure($1.model("/media/b.mp4"))
        },
        Row("play", [.nothing, .start, .start, .start, .start, .opens, .opens, .opens, .kept, .nothing]) { player, _ in
            player.play()
        },
        Row("pause", [.nothing, .pause, .pause, .pause, .pause, .nothing, .nothing, .nothing, .kept, .nothing]) {
            player, _ in player.pause()
        },
        Row("toggle", [.nothing, .pause, .start, .pause, .start, .opens, .opens, .opens, .kept, .nothing]) {
            player, _ in player.toggle()
        },
        Row("replay", [.nothing, .opens, .opens, .opens, .opens, .opens, .opens, .opens, .opens, .nothing]) {
            player, _ in player.replay()
        },
        Row("stop", [.nothing, .ends, .ends, .ends, .ends, .nothing, .nothing, .nothing, .ends, .nothing]) {
            player, _ in player.stop()
        },
        Row("seek", [.nothing, .seek, .seek, .seek, .seek, .opens, .opens, .nothing, .seek, .nothing]) { player, _ in
            player.seek(to: MediaTime(microseconds: 1_000_000))
        },
        Row(
            "selectTrack",
            [.nothing, .nothing, .track, .track, .track, .nothing, .nothing, .nothing, .track, .nothing]
        ) { player, _ in player.selectTrack(2) },
        Row(
            "selectTrack(preferring:)",
            [.nothing, .nothing, .track, .track, .track, .nothing, .nothing, .nothing, .track, .nothing]
        ) { player, _ in
            var preference = TrackPreference()
            preference.language = "de"
            return player.selectTrack(preferring: preference)
        },
        Row("setRate", settings) { player, _ in player.setRate(1.5) },
        Row("setLoop", settings) { player, _ in player.setLoop(.times(2)) },
        Row("setMuted", settings) { player, _ in player.setMuted(true) },
        Row("setVolume", settings) { player, _ in player.setVolume(0.5) },
        Row("onPause", [.kept, .pause, .kept, .pause, .kept, .kept, .kept, .kept, .nothing, .nothing]) { player, _ in
            player.onPause()
        },
        Row(
            "onResume",
            [.nothing, .nothing, .nothing, .nothing, .nothing, .nothing, .nothing, .nothing, .start, .nothing]
        ) { player, _ in player.onResume() },
        Row(
            "destroy",
            [
                .destroys, .destroys, .destroys, .destroys, .destroys, .destroys, .destroys, .destroys, .destroys,
                .nothing,
            ]
        ) { player, _ in player.destroy() },
    ]
}
