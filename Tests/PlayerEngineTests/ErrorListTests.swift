// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `docs/errors.md` and the codes say the same.
@Suite struct ErrorListTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: ErrorListTests.root.appending(path: path), encoding: .utf8)
    }

    @Test func everyCodeIsListedOnceWithItsMeaning() throws {
        let source = try text("Sources/Host/MediaCore/Errors/PlayerError.swift")
        let declared = source.matches(of: /ErrorCode\(rawValue: (\d+), name: "([a-z_.]+)"\)/).map {
            "\($0.output.1) \($0.output.2)"
        }
        let rows = try text("docs/errors.md").split(separator: "\n").filter { $0.wholeMatch(of: /\| \d+ \|.*/) != nil }
        let cells = rows.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let listed = cells.map { "\($0[0]) \($0[1].trimmingCharacters(in: ["`"]))" }
        #expect(listed == declared)
        #expect(Set(declared.map { $0.prefix(4) }).count == declared.count)
        #expect(cells.allSatisfy { $0.count == 4 && !$0[2].isEmpty && !$0[3].isEmpty })
    }
}
