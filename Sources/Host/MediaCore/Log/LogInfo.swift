// SPDX-License-Identifier: Apache-2.0

/// One log line.
public struct LogInfo: Sendable {
    /// How much it matters.
    public var level: LogLevel
    /// Who speaks: a type's or an instance's name.
    public var tag: String
    /// As it was given; may hold anything if it came from a plugin or a file.
    public var message: String
    /// Wall clock, microseconds since 1970; a label, never used to compute with.
    public var timestamp: Int64
    /// Empty if the thread has no name.
    public var threadName: String
    /// The source file that logged.
    public var fileName: String
    /// Its line in that file.
    public var line: Int
    /// What the line is about, if that is an error.
    public var error: (any Error)?

    public init(
        level: LogLevel, tag: String, message: String, timestamp: Int64, threadName: String, fileName: String,
        line: Int, error: (any Error)?
    ) {
        self.level = level
        self.tag = tag
        self.message = message
        self.timestamp = timestamp
        self.threadName = threadName
        self.fileName = fileName
        self.line = line
        self.error = error
    }

    /// One line: level letter, tag, message and the error if there is one. Control characters are escaped, so the line stays one.
    public var formattedString: String {
        var text = "\(level.letter) \(tag.escapingControls): \(message.escapingControls)"
        if let error { text += " (\(String(describing: error).escapingControls))" }
        return text
    }
}

extension String {
    /// The text with everything that could end a line, move the cursor or reorder what is shown written as an escape.
    package var escapingControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isControl: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7f..<0xa0: true
        case 0x200e...0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
        default: false
        }
    }
}
