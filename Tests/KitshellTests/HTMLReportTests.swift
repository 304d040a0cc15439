// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import JSONText
import Testing
import kitshell

@Suite struct HTMLReportTests {
    /// A page, read by a parser that forgives nothing.
    private final class Page: NSObject, XMLParserDelegate {
        private(set) var elements: [(name: String, attributes: [String: String])] = []
        private(set) var text = ""
        private(set) var failure: (any Error)?

        init(_ html: String) {
            super.init()
            let parser = XMLParser(data: Data(html.utf8))
            parser.delegate = self
            if !parser.parse() { failure = parser.parserError }
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements.append((name, attributes))
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }

    private func page(_ report: JSONValue) -> Page {
        let page = Page(HTMLReport.render(report, traces: [:]))
        #expect(page.failure == nil)
        // Nothing is fetched, nothing runs.
        #expect(
            !page.elements.contains {
                ["script", "img", "link", "iframe", "object", "embed", "base"].contains($0.name)
            })
        for (_, attributes) in page.elements {
            #expect(!attributes.keys.contains { $0.hasPrefix("on") || $0 == "src" || $0 == "style" })
            if let target = attributes["href"] { #expect(target.hasPrefix("#")) }
        }
        #expect(page.elements.filter { $0.name == "svg" }.allSatisfy { $0.attributes["aria-label"]?.isEmpty == false })
        return page
    }

    @Test(arguments: [
        "clean", "failing-plugin", "refused-plugin", "failing-source", "two-sessions", "thirty-sessions", "audio-only",
        "interrupted",
    ])
    func aReportIsAPageThatNeedsNothingElse(name: String) throws {
        let report = try Fixture.report(name)
        let page = page(report)
        #expect(page.elements.contains { $0.name == "meta" && $0.attributes["name"] == "viewport" })
        #expect(page.text.contains("prefers-color-scheme: dark"))
        let cards = page.elements.filter { $0.attributes["class"] == "card" && $0.attributes["aria-labelledby"] != nil }
        #expect(cards.count == report["sessions"]?.array?.count)
    }

    @Test func figuresAndFaultsAreThere() throws {
        let clean = page(try Fixture.report("clean")).text
        for part in ["demo.mp4", "complete", "6.3 ms", "h264 640x360", "125", "reuse-pool", "com.example.counter"] {
            #expect(clean.contains(part), "\(part)")
        }
        #expect(page(try Fixture.report("failing-plugin")).text.contains("in trouble"))
        #expect(page(try Fixture.report("failing-source")).text.contains("Error"))
    }

    @Test func textFromOutsideStaysText() {
        let nasty = "</style></p><script>alert('x')</script><img src=x onerror=\"x\"> & \u{1B}[2J \u{202E}"
        let text = JSONValue.string(nasty)
        let page = page([
            "host": ["version": text],
            "sessions": [
                [
                    "session": 1, "source": text, "outcome": text, "end_reason": text,
                    "states_ms": .object(JSONObject([.init(nasty, 5)])),
                    "media": ["video": ["codec": text]],
                    "errors": [["message": text, "hint": text, "name": text, "fatal": true]],
                    "stalls": ["count": 1, "list": [["cause": text, "kind": text]]], "stuck": [["kind": text]],
                    "renditions": ["list": [["id": text]]], "traffic": ["type": text], "join_invalid": text,
                    "plugins": .object(JSONObject([.init(nasty, .object(JSONObject([.init(nasty, ["k": text])])))])),
                ]
            ],
            "strategies": [
                ["name": text, "origin": text, "health": text, "faults": [["detail": text, "kind": text]]]
            ],
            "pool": ["strategy": text, "rejected": .object(JSONObject([.init(nasty, 1)]))],
        ])
        #expect(page.text.contains("<script>alert('x')</script>"))
        #expect(!page.text.unicodeScalars.contains("\u{1B}") && !page.text.unicodeScalars.contains("\u{202E}"))
    }

    @Test func ofVeryManySessionsTheFirstAreShown() {
        let sessions = (1...1200).map { JSONValue.object(["session": .int($0), "source": "a", "outcome": "complete"]) }
        let page = page(["sessions": .array(sessions)])
        #expect(page.elements.count { $0.attributes["aria-labelledby"] != nil } == 100)
        #expect(page.text.contains("1100 more sessions"))
    }

    @Test func strangeReportsArePagesToo() {
        let odd: [JSONValue] = [
            nil, true, ["sessions": 3], ["sessions": [nil, 1, [:]], "strategies": ["x", [:]], "pool": "none"],
            ["sessions": [["states_ms": ["playing": 1e300, "stalled": -1], "bytes": ["read": -5]]]],
        ]
        for value in odd { _ = page(value) }
    }
}
