// SPDX-License-Identifier: Apache-2.0

/// Pieces of an HTML page. Whatever comes from outside goes through `escape`.
enum HTMLText {
    /// Text as content or as the value of a quoted attribute; control and direction characters are replaced.
    static func escape(_ text: String) -> String {
        var result = ""
        for character in TextFormat.clean(text).unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// An element.
    ///
    /// - Parameters:
    ///   - attributes: values are escaped here; of one without a value nothing is written.
    ///   - content: already HTML.
    static func element(_ name: String, _ attributes: [(String, String?)] = [], _ content: String = "") -> String {
        let list = attributes.compactMap { key, value in value.map { " \(key)=\"\(escape($0))\"" } }.joined()
        return "<\(name)\(list)>\(content)</\(name)>"
    }

    /// An element of a class, or of several.
    static func element(_ name: String, _ classes: String, _ content: String) -> String {
        element(name, [("class", classes)], content)
    }

    /// A table whose rows become blocks on a narrow screen, each value beside its column's name.
    ///
    /// - Parameters:
    ///   - columns: names, and whether values are numbers. The first names the row.
    ///   - rows: a cell for each column, already HTML.
    static func table(caption: String, _ columns: [(name: String, isNumber: Bool)], _ rows: [[String]]) -> String {
        let classes = columns.enumerated().map { $0 > 0 && $1.isNumber ? "n" : nil }
        let head = zip(columns, classes).map { element("th", [("scope", "col"), ("class", $1)], escape($0.name)) }
        let body = rows.map { cells in
            let list = cells.indices.map { index in
                let attributes =
                    [("class", classes[index]), ("data-label", columns[index].name)] as [(String, String?)]
                return index == 0
                    ? element("th", [("scope", "row")] + attributes, cells[index])
                    : element("td", attributes, cells[index])
            }
            return element("tr", [], list.joined())
        }
        return element(
            "table", [],
            element("caption", [], escape(caption)) + element("thead", [], element("tr", [], head.joined()))
                + element("tbody", [], body.joined()))
    }
}
