// SPDX-License-Identifier: Apache-2.0

/// Numbers and foreign text as a person reads them.
enum TextFormat {
    /// What stands for a value that is not known.
    static let unknown = "unknown"

    /// `6.3 ms`, `340 ms`, `5.01 s`, `2 min 05 s`, `1 h 02 min`.
    static func duration(_ milliseconds: Double?) -> String {
        guard let milliseconds, milliseconds.isFinite else { return unknown }
        return switch milliseconds.magnitude {
        case ..<99.95: decimal(milliseconds, places: 1) + " ms"
        case ..<999.5: decimal(milliseconds, places: 0) + " ms"
        case ..<59_995: decimal(milliseconds / 1000, places: 2) + " s"
        case ..<3_599_500: pair(milliseconds / 1000, "min", "s")
        default: pair(milliseconds / 60_000, "h", "min")
        }
    }

    /// A time in seconds whatever its size, `0.00 s`, so that two of them compare; minutes from one minute on.
    static func seconds(_ milliseconds: Double?) -> String {
        guard let milliseconds, milliseconds.isFinite else { return unknown }
        return milliseconds < 59_995 ? decimal(milliseconds / 1000, places: 2) + " s" : duration(milliseconds)
    }

    /// A number with at most `places` decimals, zeros at the end cut off: `25`, `29.97`.
    static func trimmed(_ value: Double, places: Int) -> String {
        var text = decimal(value, places: places)
        while text.contains("."), text.last == "0" || text.last == "." { text.removeLast() }
        return text
    }

    /// A number with exactly `places` decimals.
    static func decimal(_ value: Double, places: Int) -> String {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard let whole = Int64(exactly: scaled) else { return "\(value)" }
        guard places > 0 else { return "\(whole)" }
        let digits = String(whole.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (whole < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }

    /// A count of something, as in `1 fault`, `3 faults`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Text of a plugin, a file or a server, made harmless for a terminal: control and direction characters are replaced.
    static func clean(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func pair(_ value: Double, _ large: String, _ small: String) -> String {
        guard let whole = Int64(exactly: value.rounded()) else { return "\(value) \(small)" }
        let rest = String(whole % 60)
        return "\(whole / 60) \(large) \(rest.count < 2 ? "0" : "")\(rest) \(small)"
    }
}
