// SPDX-License-Identifier: Apache-2.0

import Foundation
package import JSONText

/// A worked example of the metric definitions: an event log, and the part of the report that it must give.
package struct GoldenLog: Sendable, CustomStringConvertible {
    package static let all = [
        "autoplay-off", "cellular-episodes", "left-before-first-frame", "loading-outlives-first-frame",
        "pause-into-empty-buffer", "seek-before-play", "seek-loop-background", "stop-while-stalled",
    ].map { GoldenLog(name: $0) }

    package let name: String

    package var description: String { name }

    package init(name: String) {
        self.name = name
    }

    /// Where the log is.
    package var path: String { Self.folder.appending(path: "\(name).jsonl").path }

    package var text: String {
        get throws { try String(contentsOfFile: path, encoding: .utf8) }
    }

    /// Where a report departs from what is expected: every expected key must be there with that value, numbers within 0.001.
    ///
    /// - Parameter leftOut: keys that are not looked at, at any depth.
    package func differences(from report: JSONValue, leavingOut leftOut: Set<String> = []) throws -> [String] {
        let file = Self.folder.appending(path: "\(name).expect.json")
        let expected = try JSONReader().read(try String(contentsOf: file, encoding: .utf8))
        var differences: [String] = []
        compare(report, expected, path: "", leftOut, into: &differences)
        return differences
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    private func compare(
        _ value: JSONValue?, _ expected: JSONValue, path: String, _ leftOut: Set<String>,
        into differences: inout [String]
    ) {
        switch expected {
        case .object(let object):
            for member in object.members where !leftOut.contains(member.key) {
                compare(value?[member.key], member.value, path: "\(path).\(member.key)", leftOut, into: &differences)
            }
        case .array(let elements):
            guard let array = value?.array, array.count == elements.count else {
                differences.append("\(path): \(String(describing: value?.array?.count)) elements")
                return
            }
            for (index, element) in elements.enumerated() {
                compare(array[index], element, path: "\(path)[\(index)]", leftOut, into: &differences)
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
