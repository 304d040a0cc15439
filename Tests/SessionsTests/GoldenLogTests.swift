// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import MediaCore
import Sessions
import Testing

/// The worked examples of the metric definitions, as logs with the part of the report that each must give.
@Suite struct GoldenLogTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/golden")

    static let names = [
        "autoplay-off", "left-before-first-frame", "loading-outlives-first-frame", "pause-into-empty-buffer",
        "stop-while-stalled",
    ]

    /// The keys that monitors fill in; their own tests hold them to these files.
    static let ofMonitors: Set = ["first_frame", "stutter", "traffic"]

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test(arguments: names) func givesWhatIsExpected(name: String) throws {
        let expected = try JSONReader().read(try Self.text("\(name).expect.json"))
        let replay = Replay(try read(log: try Self.text("\(name).jsonl")))
        let sessions = try JSONReader().read(replay.json)
        var differences: [String] = []
        compare(["sessions": sessions], expected, path: "", into: &differences)
        #expect(differences == [])
    }

    @Test(arguments: names) func recordedAgainGivesTheSameSessions(name: String) throws {
        let replay = Replay(try read(log: try Self.text("\(name).jsonl")))
        let again = Replay(try read(log: try recorded(replay.delivered)))
        #expect(again.json == replay.json)
        #expect(again.delivered == replay.delivered)
    }

    /// Every key of `expected` must be there with that value, numbers within 0.001.
    private func compare(_ value: JSONValue?, _ expected: JSONValue, path: String, into differences: inout [String]) {
        switch expected {
        case .object(let object):
            for member in object.members where !Self.ofMonitors.contains(member.key) {
                compare(value?[member.key], member.value, path: "\(path).\(member.key)", into: &differences)
            }
        case .array(let elements):
            guard let array = value?.array, array.count == elements.count else {
                differences.append("\(path): \(String(describing: value?.array?.count)) elements")
                return
            }
            for (index, element) in elements.enumerated() {
                compare(array[index], element, path: "\(path)[\(index)]", into: &differences)
            }
        case .int, .double:
            guard let number = value?.number, let wanted = expected.number, abs(number - wanted) <= 0.001 else {
                differences.append("\(path): \(String(describing: value)) instead of \(expected)")
                return
            }
        default:
            if value != expected { differences.append("\(path): \(String(describing: value)) instead of \(expected)") }
        }
    }
}
