// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationXML
import JSONText
import MediaCore
import Sessions
import Testing
import kitshell

/// A page, read by a parser that forgives nothing.
final class HTMLPage: NSObject, XMLParserDelegate {
    private(set) var elements: [(name: String, attributes: [String: String])] = []
    private(set) var text = ""
    private var failure: (any Error)?

    private init(_ html: String) {
        super.init()
        let parser = XMLParser(data: Data(html.utf8))
        parser.delegate = self
        if !parser.parse() { failure = parser.parserError }
    }

    /// The page of a report; that it needs nothing else is checked.
    static func checked(_ report: JSONValue, _ traces: [SessionID: SessionTrace] = [:]) -> HTMLPage {
        let page = HTMLPage(HTMLReport.render(report, traces: traces))
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

    /// The values of an attribute of all elements of one name.
    func values(of attribute: String, in name: String) -> [String] {
        elements.filter { $0.name == name }.compactMap { $0.attributes[attribute] }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append((name, attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}
