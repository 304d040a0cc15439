// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import Synchronization

/// Takes a command line apart with glibc's `getopt_long`.
package enum OptionScanner {
    // getopt_long works on global variables.
    private static let oneScanAtATime = Mutex(())

    /// Finds options, in the forms `--name=value`, `--name value`, `-n value`, `-nvalue`, `-ab`, and operands; `--` ends options.
    ///
    /// An abbreviated long option counts as unknown: what a script means must not change when an option is added.
    ///
    /// - Parameter arguments: without the program's name.
    package static func scan(_ arguments: [String], for patterns: [ScannedArgument.Pattern]) -> [ScannedArgument] {
        oneScanAtATime.withLock { _ in
            unsafe withOptionTable(patterns) { shortOptions, longOptions in
                unsafe withArgumentVector(["kitshell"] + arguments) { count, vector in
                    unsafe scan(count, vector, patterns, shortOptions, longOptions)
                }
            }
        }
    }

    @unsafe private static func scan(
        _ count: CInt, _ vector: UnsafePointer<UnsafeMutablePointer<CChar>?>, _ patterns: [ScannedArgument.Pattern],
        _ shortOptions: UnsafePointer<CChar>, _ longOptions: UnsafePointer<option>
    ) -> [ScannedArgument] {
        var found: [ScannedArgument] = []
        var position: CInt = 1
        while true {
            let step = unsafe clinux_next_option(count, vector, shortOptions, longOptions, found.isEmpty ? 1 : 0)
            let written = unsafe position < count ? text(vector[Int(position)]) : ""
            let value = unsafe text(step.text)
            let subject = unsafe index(of: step.character, written, patterns)
            position = unsafe step.next
            switch unsafe step.value {
            case -1:
                while position < count {
                    unsafe found.append(.operand(text(vector[Int(position)]), isLiteral: true))
                    position += 1
                }
                return found
            case 1:
                found.append(.operand(value, isLiteral: false))
            case CInt(UInt8(ascii: ":")):
                found.append(subject.map { .missingValue(index: $0) } ?? .unknown(name(of: written)))
            case CInt(UInt8(ascii: "?")) where written.hasPrefix("--"):
                found.append(subject.map { .unexpectedValue(index: $0) } ?? .unknown(name(of: written)))
            case CInt(UInt8(ascii: "?")):
                unsafe found.append(.unknown("-\(UnicodeScalar(UInt8(truncatingIfNeeded: step.character)))"))
            case let option:
                let index = index(of: option, written, patterns)
                found.append(index.map { .option(index: $0, value: value) } ?? .unknown(name(of: written)))
            }
        }
    }

    private static let firstLongValue: CInt = 256

    /// The pattern that a step's value stands for; nil if it was written in an abbreviated form.
    private static func index(of value: CInt, _ written: String, _ patterns: [ScannedArgument.Pattern]) -> Int? {
        guard value >= firstLongValue else {
            return patterns.firstIndex { $0.short?.asciiValue.map(CInt.init) == value }
        }
        let index = Int(value - firstLongValue)
        return name(of: written) == "--" + patterns[index].long ? index : nil
    }

    private static func name(of written: String) -> String {
        String(written.prefix { $0 != "=" })
    }

    @unsafe private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }

    /// The vector lives as long as the call; getopt_long reorders nothing, since the short options begin with `-`.
    @unsafe private static func withArgumentVector<Result>(
        _ arguments: [String], _ body: (CInt, UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var vector = unsafe arguments.map { unsafe strdup($0) }
        unsafe vector.append(nil)
        defer { unsafe vector.forEach { unsafe free($0) } }
        return unsafe vector.withUnsafeBufferPointer { buffer in
            unsafe body(CInt(arguments.count), buffer.baseAddress.unsafelyUnwrapped)
        }
    }

    @unsafe private static func withOptionTable<Result>(
        _ patterns: [ScannedArgument.Pattern], _ body: (UnsafePointer<CChar>, UnsafePointer<option>) -> Result
    ) -> Result {
        // "-": operands come in their place, whatever POSIXLY_CORRECT says. ":": a missing value is told apart.
        let shortOptions = patterns.reduce(into: "-:") { text, pattern in
            if let short = pattern.short { text += String(short) + (pattern.takesValue ? ":" : "") }
        }
        let names = unsafe patterns.map { unsafe strdup($0.long) }
        defer { unsafe names.forEach { unsafe free($0) } }
        var rows = unsafe patterns.indices.map { index in
            unsafe option(
                name: names[index], has_arg: patterns[index].takesValue ? required_argument : no_argument, flag: nil,
                val: firstLongValue + CInt(index))
        }
        unsafe rows.append(option())
        return unsafe rows.withUnsafeBufferPointer { buffer in
            unsafe body(shortOptions, buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
