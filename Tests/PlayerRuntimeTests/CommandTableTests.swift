// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PlayerRuntime
import TestSupport
import Testing

@Suite("What a command does in a state")
struct CommandTableTests {
    /// A controller in a situation, and its player where it has one.
    private func enter(_ situation: CommandTable.Situation) -> (FakeStage, PlayerController, FakePlayer?) {
        let stage = FakeStage(script: FakePlayerScript(preparesAtOnce: situation != .preparing))
        let controller = PlayerController(environment: stage.environment)
        if situation == .noPlayer { return (stage, controller, nil) }
        controller.configure(stage.model(autoPlay: situation != .prepared))
        let player = stage.factory.players[0]
        switch situation {
        case .noPlayer, .preparing, .prepared, .playing: break
        case .paused: controller.pause()
        case .completed: player.complete()
        case .stopped: controller.stop()
        case .error: player.fail(PlayerError(.badData, "as the test wants"))
        case .background: controller.onPause()
        case .destroyed: controller.destroy()
        }
        return (stage, controller, situation == .destroyed ? nil : player)
    }

    @Test("is what the table says", arguments: CommandTable.rows, CommandTable.Situation.allCases)
    func walk(_ row: CommandTable.Row, _ situation: CommandTable.Situation) {
        let (stage, controller, player) = enter(situation)
        let posted = stage.posted.count
        let told = player?.commands.count ?? 0
        let result = row.give(controller, stage)
        let events = stage.posted.dropFirst(posted)
        let commands = Array(player?.commands.dropFirst(told) ?? [])
        let effect = row.effect(in: situation)
        if effect == .nothing {
            expectRefusal(of: row.command, in: situation, result)
            #expect(events.isEmpty && commands.isEmpty)
        } else {
            #expect(result == .performed)
        }
        switch effect {
        case .nothing: break
        case .kept: #expect(commands.isEmpty)
        case .start, .pause, .apply: #expect(commands == [effect.rawValue])
        case .seek: #expect(commands == ["seek 1000000 exact"])
        case .track: #expect(commands == ["selectTrack 2"])
        case .opens:
            #expect(events.filter { $0 == .request }.count == 1)
            #expect(stage.environment.dispatcher.openRecords().count == 1)
        case .ends:
            #expect(events.last == .stop && commands == ["stop"])
            #expect(controller.playerState == .stopped)
        case .destroys:
            #expect(player?.isDestroyed ?? true)
            #expect(stage.environment.dispatcher.openRecords().isEmpty)
        }
        controller.destroy()
        #expect(stage.sessions.count == stage.events.filter { $0.type == .request }.count)
    }

    /// It names the command, the state and what to do.
    private func expectRefusal(
        of command: String, in situation: CommandTable.Situation, _ result: CommandResult
    ) {
        guard case .ignored(let error) = result else {
            Issue.record("\(command) in \(situation): \(result)")
            return
        }
        #expect(error.code == (situation == .noPlayer && command != "onResume" ? .noPlayer : .illegalState))
        #expect(error.message.hasPrefix("\(command) did nothing: controller 1 "))
        #expect(!error.hint.isEmpty)
        let word =
            switch situation {
            case .destroyed, .background: situation.rawValue
            default: command == "onResume" ? "foreground" : situation.rawValue
            }
        #expect(error.message.contains(word))
    }

    @Test("is documented as it is tested")
    func document() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/commands.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let table = lines.filter { $0.hasPrefix("| ") }
        #expect(table == [CommandTable.head] + CommandTable.rows.map(\.text))
    }

    struct OutOfRange: CustomStringConvertible, Sendable {
        var command: String
        /// What the refusal must name.
        var range: String
        var give: @Sendable (PlayerController) -> CommandResult

        var description: String { command }

        init(_ command: String, _ range: String, _ give: @escaping @Sendable (PlayerController) -> CommandResult) {
            self.command = command
            self.range = range
            self.give = give
        }
    }

    static let outOfRange = [
        OutOfRange("setRate", "0.5 to 2.0") { $0.setRate(2.01) },
        OutOfRange("setRate", "0.5 to 2.0") { $0.setRate(.nan) },
        OutOfRange("setVolume", "0 to 1") { $0.setVolume(-0.01) },
        OutOfRange("setLoop", "from 1") { $0.setLoop(.times(0)) },
        OutOfRange("seek", "from 0 ms") { $0.seek(to: MediaTime(microseconds: -1)) },
        OutOfRange("selectTrack", "0, 1, 2") { $0.selectTrack(9) },
        // A subtitle track.
        OutOfRange("selectTrack", "0, 1, 2") { $0.selectTrack(3) },
        OutOfRange("selectTrack(preferring:)", "a height") { $0.selectTrack(preferring: TrackPreference()) },
        // The video could be had; neither is switched.
        OutOfRange("selectTrack(preferring:)", "eng, ger") {
            var preference = TrackPreference()
            preference.maxHeight = 400
            preference.language = "fr"
            return $0.selectTrack(preferring: preference)
        },
    ]

    @Test("is nothing for a value out of range, and the refusal names the range", arguments: outOfRange)
    func ranges(_ example: OutOfRange) {
        let (stage, controller, player) = enter(.playing)
        let told = player?.commands
        guard case .ignored(let error) = example.give(controller) else {
            Issue.record("\(example) was taken")
            return
        }
        #expect(error.code == .outOfRange && error.message.hasPrefix("\(example) did nothing: "))
        #expect(error.hint.contains(example.range))
        #expect(player?.commands == told)
        #expect(controller.settings == PlaybackSettings() && stage.sessions.isEmpty)
        controller.destroy()
    }
}
