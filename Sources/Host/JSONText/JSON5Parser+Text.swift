// SPDX-License-Identifier: Apache-2.0

extension JSON5Parser {
    /// A text in single or double quotes.
    mutating func text() throws(JSON5Error) -> String {
        let start = scanner.position
        let quote = scanner.advance()
        var text = String.UnicodeScalarView()
        while true {
            let position = scanner.position
            switch scanner.next {
            case quote:
                scanner.advance()
                return String(text)
            case nil: throw JSON5Error(start, "the text that begins here has no end", hint: "end it with a quote")
            case "\n", "\r":
                throw JSON5Error(
                    start, "the text that begins here has no end in its line",
                    hint: "end it with a quote; a line end in it is written \\n")
            case "\0": throw JSON5Error(position, "a text holds a NUL", hint: "leave it out")
            case "\\": if let scalar = try escape() { text.append(scalar) }
            case let scalar?:
                text.append(scalar)
                scanner.advance()
            }
        }
    }

    /// A key without quotes, or a word.
    mutating func name() throws(JSON5Error) -> String {
        var name = String.UnicodeScalarView()
        while let scalar = scanner.next {
            let position = scanner.position
            if scalar == "\\" {
                scanner.advance()
                guard scanner.take("u"), let unit = codeUnit(digits: 4), let scalar = Unicode.Scalar(unit),
                    name.isEmpty ? scalar.beginsName : scalar.continuesName
                else {
                    throw JSON5Error(
                        position, "a name has a backslash that stands for no letter", hint: "put the key in quotes")
                }
                name.append(scalar)
            } else if scalar.continuesName {
                name.append(scalar)
                scanner.advance()
            } else {
                break
            }
        }
        return String(name)
    }

    /// What a backslash and what follows it stand for; nil for a line that goes on.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        let position = scanner.position
        scanner.advance()
        guard let scalar = scanner.advance() else {
            throw JSON5Error(position, "the text ends after a backslash", hint: "end it with a quote")
        }
        switch scalar {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{B}"
        case "x", "u":
            let digits = scalar == "x" ? 2 : 4
            guard let unit = codeUnit(digits: digits) else {
                throw JSON5Error(
                    position, "\\\(scalar) is not followed by \(digits) hexadecimal digits",
                    hint: "write a backslash itself as \\\\")
            }
            return whole(unit, position)
        case "0"..."9":
            // In a C string the digits would be octal, and \0 a NUL, which ends names and paths.
            throw JSON5Error(
                position, "\\\(scalar) is no escape here", hint: "write the character itself, or \\x and two digits")
        case "\r":
            _ = scanner.take("\n")
            return nil
        case _ where scalar.endsLine: return nil
        default: return scalar
        }
    }

    /// A code unit of UTF-16 with its other half, if it is one of a pair.
    private mutating func whole(_ unit: UInt32, _ position: TextPosition) -> Unicode.Scalar {
        if unit == 0 {
            errors.append(JSON5Error(position, "a text holds a NUL", hint: "leave it out"))
        }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if unit < 0xDC00, scanner.next == "\\", scanner.second == "u" {
            scanner.advance()
            scanner.advance()
            if let low = codeUnit(digits: 4), 0xDC00...0xDFFF ~= low,
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
            {
                return scalar
            }
        }
        errors.append(
            JSON5Error(
                position, "\\u\(String(unit, radix: 16)) is half of a surrogate pair",
                hint: "write the character itself, or both halves"))
        return "\u{FFFD}"
    }

    /// nil if something else follows; what was a digit of it has been taken.
    private mutating func codeUnit(digits: Int) -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = scanner.next?.hexValue else { return nil }
            unit = unit << 4 | digit
            scanner.advance()
        }
        return unit
    }
}
