// SPDX-License-Identifier: Apache-2.0

/// A line for a terminal: pieces of text, some of them coloured, whose width is known.
struct TextLine: Hashable {
    /// What a piece says to the eye.
    enum Tone: Hashable {
        case plain
        case good
        case bad
        case faint
    }

    struct Piece: Hashable {
        var text: String
        var tone: Tone

        init(_ text: String, _ tone: Tone = .plain) {
            self.text = text
            self.tone = tone
        }
    }

    static let limit = 80

    private(set) var pieces: [Piece] = []
    private(set) var width = 0

    init(_ text: String = "", _ tone: Tone = .plain) {
        append(text, tone)
    }

    mutating func append(_ text: String, _ tone: Tone = .plain) {
        guard !text.isEmpty else { return }
        pieces.append(Piece(text, tone))
        width += Self.width(of: text)
    }

    /// Fills with spaces up to a column; with two if the line is there already.
    mutating func pad(to column: Int) {
        append(String(repeating: " ", count: width < column ? column - width : 2))
    }

    func text(isColored: Bool) -> String {
        joined.map { piece in
            let code =
                switch piece.tone {
                case .good: "32"
                case .bad: "31"
                case .faint: "2"
                case .plain: ""
                }
            return isColored && !code.isEmpty ? "\u{1B}[\(code)m\(piece.text)\u{1B}[0m" : piece.text
        }.joined()
    }

    /// The pieces, those of one tone in one, with the spaces between them.
    private var joined: [Piece] {
        pieces.reduce(into: []) { joined, piece in
            if let last = joined.last, last.tone == piece.tone {
                joined[joined.count - 1].text += piece.text
            } else if joined.count > 1, piece.tone == joined[joined.count - 2].tone,
                joined[joined.count - 1].text.allSatisfy({ $0 == " " })
            {
                let space = joined.removeLast()
                joined[joined.count - 1].text += space.text + piece.text
            } else {
                joined.append(piece)
            }
        }
    }

    /// Columns that a text takes; wide East Asian characters and pictures take two.
    static func width(of text: String) -> Int {
        text.reduce(0) { width, character in
            switch character.unicodeScalars.first?.value ?? 0 {
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
                0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
                width + 2
            default: width + 1
            }
        }
    }

    /// The text if it fits, else its end behind an ellipsis: the end of a path tells more than its beginning.
    static func cut(_ text: String, to columns: Int) -> String {
        guard width(of: text) > columns else { return text }
        var kept = ""
        for character in text.reversed() {
            guard width(of: kept) + width(of: String(character)) + 1 <= columns else { break }
            kept = String(character) + kept
        }
        return "…" + kept
    }

    /// The text in parts that fit, at least one.
    static func folded(_ text: String, to columns: Int) -> [String] {
        text.reduce(into: [""]) { parts, character in
            if width(of: parts[parts.count - 1]) + width(of: String(character)) > columns { parts.append("") }
            parts[parts.count - 1].append(character)
        }
    }

    /// A label and pieces that follow one another from `column` on, `gap` apart, on as many lines as they need.
    static func flow(_ label: String, _ pieces: [Piece], from column: Int, gap: Int = 3) -> [TextLine] {
        var lines: [TextLine] = []
        var line = TextLine(cut(label, to: limit / 2))
        line.pad(to: column)
        var isFirst = true
        for piece in pieces {
            let text = cut(piece.text, to: limit - column)
            if line.width + (isFirst ? 0 : gap) + width(of: text) > limit {
                lines.append(line)
                line = TextLine(String(repeating: " ", count: column))
                isFirst = true
            }
            if !isFirst { line.append(String(repeating: " ", count: gap)) }
            line.append(text, piece.tone)
            isFirst = false
        }
        return lines + [line]
    }

    /// A label and a sentence wrapped from `column` on; what does not fit on `most` lines ends in an ellipsis.
    static func wrapped(_ label: String, _ text: String, _ tone: Tone = .plain, from column: Int, most: Int)
        -> [TextLine]
    {
        wrapped(label, words: text.split(separator: " ").map(String.init), tone, from: column, most: most)
    }

    /// The same with what is not to be broken given as one word.
    static func wrapped(_ label: String, words: [String], _ tone: Tone = .plain, from column: Int, most: Int)
        -> [TextLine]
    {
        let words = words.map { Piece($0, tone) }
        var lines = flow(label, words, from: column, gap: 1)
        if lines.count > most {
            lines.removeSubrange(most...)
            if lines[most - 1].width + 2 > limit, let last = lines[most - 1].pieces.last {
                lines[most - 1].pieces.removeLast()
                lines[most - 1].width -= width(of: last.text)
            }
            lines[most - 1].append(lines[most - 1].pieces.last?.text.hasSuffix(" ") == true ? "…" : " …", tone)
        }
        return lines
    }
}
