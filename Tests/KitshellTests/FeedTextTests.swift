// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing
import kitshell

@Suite struct FeedTextTests {
    private static let names = ["alone", "compared", "survivor", "troubled"]

    private func document(_ name: String) throws -> JSONValue {
        try JSONReader().read(try Fixture.text("\(name).feed.json"))
    }

    @Test(arguments: names)
    func aFeedReadsAsItsGoldenText(name: String) throws {
        let text = FeedText.render(try document(name), isColored: false)
        if let directory = ProcessInfo.processInfo.environment["REGENERATE_TEXT_REPORTS"] {
            try text.write(toFile: "\(directory)/\(name).feed.txt", atomically: true, encoding: .utf8)
            return
        }
        #expect(
            text == (try Fixture.text("\(name).feed.txt")),
            "to accept: REGENERATE_TEXT_REPORTS=$PWD/Tests/KitshellTests/Fixtures swift test --filter FeedTextTests")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: names)
    func theFixturesAreWhatTheSchemaSays(name: String) throws {
        var checker = try SchemaChecker("feed.schema.json")
        #expect(checker.check(try document(name)) == [])
    }

    @Test func colourChangesNothingButTheColour() throws {
        let document = try document("troubled")
        let colored = FeedText.render(document, isColored: true)
        #expect(colored.contains("\u{1B}[31m"))
        #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == FeedText.render(document, isColored: false))
    }

    @Test func aPercentileAmongTheMissedOnesIsNoNumber() throws {
        let text = FeedText.render(try document("troubled"), isColored: false)
        #expect(text.contains(" > 300 ms"))
        #expect(!text.contains(" 0.0 ms"))
    }

    @Test func anItemOfAFileURLIsCalledAsItsFile() throws {
        let item: JSONValue = ["position": 0, "source": "file:///a/b%20c%1B.mp4"]
        let text = FeedText.render(["runs": [["items": [item]]]], isColored: false)
        #expect(text.contains(" start  b c�.mp4 "))
    }

    @Test(arguments: [40, 77, 78, 200])
    func namesThatEndTheSameAreToldApart(length: Int) throws {
        let end = String(repeating: "x", count: length)
        let runs: JSONValue = [["strategy": .string("a.\(end)")], ["strategy": .string("b.\(end)")]]
        let text = FeedText.render(["feed": ["comparison": true], "runs": runs], isColored: false)
        let unfolded = text.replacing("x\n x", with: "xx")
        #expect(unfolded.contains(" a.\(end)\n") && unfolded.contains(" b.\(end)\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func aDocumentOfNothingIsNoCrash() {
        for document: JSONValue in [
            nil, [:], ["runs": [[:]]], ["runs": [[:], [:]]], ["runs": [["items": [nil]]]],
            ["feed": ["comparison": true]], ["feed": ["comparison": true], "runs": [[:], [:]]], ["failures": [nil]],
        ] {
            #expect(FeedText.render(document, isColored: false).hasPrefix(" feed"))
        }
    }
}
