// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The table of `Tests/README.md` names the suites that hold each public bug case, no more and no fewer.
@Suite struct CaseTableTests {
    private static let tests = Kitshell.root.appending(path: "Tests")

    /// Suites by case, as names of tests say: `B06: …`. A suite is its file, under the folder that it is in.
    private static func named() throws -> [String: Set<String>] {
        var suites: [String: Set<String>] = [:]
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            for match in try String(contentsOf: file, encoding: .utf8).matches(of: #/"(B[0-9]{2}): /#) {
                let name = file.deletingPathExtension().pathComponents.suffix(2).joined(separator: "/")
                suites[String(match.1), default: []].insert(name)
            }
        }
        return suites
    }

    /// Suites by case, as the table says.
    private static func listed() throws -> [String: Set<String>] {
        let text = try String(contentsOf: tests.appending(path: "README.md"), encoding: .utf8)
        var suites: [String: Set<String>] = [:]
        for row in text.matches(of: #/\| (B[0-9]{2}) \|[^|]*\| ([^|]*) \|/#) {
            suites[String(row.1)] = Set(row.2.split(separator: ", ").map(String.init))
        }
        return suites
    }

    @Test("every case is where the table says")
    func agrees() throws {
        let (named, listed) = (try Self.named(), try Self.listed())
        #expect(named.count > 20)
        for id in Set(named.keys).union(listed.keys).sorted() {
            #expect(listed[id] == named[id], "\(id): the table, and the names of tests")
        }
    }
}
