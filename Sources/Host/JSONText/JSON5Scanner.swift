// SPDX-License-Identifier: Apache-2.0

/// Goes through a text character by character and knows where it is.
struct JSON5Scanner {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    /// Of the next character.
    private(set) var position = TextPosition(line: 1, column: 1)

    /// - Throws: the first byte that is not UTF-8.
    init(_ bytes: [UInt8]) throws(JSON5Error) {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(bytes.count)
        var (decoder, rest) = (UTF8(), bytes.makeIterator())
        var offset = 0
        decoding: while true {
            switch decoder.decode(&rest) {
            case .scalarValue(let scalar):
                scalars.append(scalar)
                offset += UTF8.width(scalar)
            case .emptyInput: break decoding
            case .error:
                self.init(scalars)
                while advance() != nil {}
                let byte = String(bytes[offset], radix: 16)
                throw JSON5Error(
                    position, "the byte 0x\(byte.count < 2 ? "0" : "")\(byte) is not UTF-8",
                    hint: "save the text as UTF-8")
            }
        }
        // A byte order mark is no character of the text.
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        self.init(scalars)
    }

    private init(_ scalars: [Unicode.Scalar]) {
        self.scalars = scalars
    }

    /// nil at the end.
    var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    /// The one after the next.
    var second: Unicode.Scalar? { index + 1 < scalars.count ? scalars[index + 1] : nil }

    /// Takes the next character. A line ends with LF, CR or both, as editors count them.
    @discardableResult
    mutating func advance() -> Unicode.Scalar? {
        guard let scalar = next else { return nil }
        index += 1
        if scalar == "\n" || scalar == "\r" && next != "\n" {
            position = TextPosition(line: position.line + 1, column: 1)
        } else {
            position.column += 1
        }
        return scalar
    }

    /// Takes the next character if it is that one.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        advance()
        return true
    }

    /// Takes the characters that fulfil a condition.
    mutating func takeAll(where condition: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = next, condition(scalar) {
            text.append(scalar)
            advance()
        }
        return String(text)
    }

    /// Takes blanks and comments.
    mutating func skipSpace() throws(JSON5Error) {
        while let scalar = next {
            if scalar == "/", second == "/" {
                while let inside = next, !inside.endsLine { advance() }
            } else if scalar == "/", second == "*" {
                try skipComment()
            } else if scalar.isBlank {
                advance()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(JSON5Error) {
        let start = position
        advance()
        advance()
        while next != nil {
            if next == "*", second == "/" {
                advance()
                advance()
                return
            }
            advance()
        }
        throw JSON5Error(start, "the comment that begins here has no end", hint: "end it with */")
    }
}

extension Unicode.Scalar {
    /// What JSON5 takes for the end of a line.
    var endsLine: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

    fileprivate var isBlank: Bool {
        switch self {
        case "\t", "\u{0B}", "\u{0C}", " ", "\u{A0}", "\u{FEFF}": true
        default: endsLine || value > 0x7f && properties.generalCategory == .spaceSeparator
        }
    }

    var isDigit: Bool { "0"..."9" ~= self }

    var hexValue: UInt32? {
        switch self {
        case "0"..."9": value - 0x30
        case "a"..."f": value - 0x61 + 10
        case "A"..."F": value - 0x41 + 10
        default: nil
        }
    }

    /// Whether a key without quotes may begin with it.
    var beginsName: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "$", "_": true
        default:
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
                true
            default: false
            }
        }
    }

    /// Whether a key without quotes may go on with it.
    var continuesName: Bool {
        if beginsName || isDigit || self == "\u{200C}" || self == "\u{200D}" { return true }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
        default: false
        }
    }
}
