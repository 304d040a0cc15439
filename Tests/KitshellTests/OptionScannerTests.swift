// SPDX-License-Identifier: Apache-2.0

import Testing
import kitshell

@Suite struct OptionScannerTests {
    static let patterns: [ScannedArgument.Pattern] = [
        .init(long: "plugin", takesValue: true),
        .init(long: "quiet", short: "q", takesValue: false),
        .init(long: "output", short: "o", takesValue: true),
        .init(long: "plugin-dir", takesValue: true),
    ]

    @Test(
        "Each way of writing an option is understood",
        arguments: [
            (["--plugin", "a.so"], [.option(index: 0, value: "a.so")]),
            (["--plugin=a.so"], [.option(index: 0, value: "a.so")]),
            (["--plugin=a=b"], [.option(index: 0, value: "a=b")]),
            (["--plugin="], [.option(index: 0, value: "")]),
            (["--plugin", "--quiet"], [.option(index: 0, value: "--quiet")]),
            (["-o", "x"], [.option(index: 2, value: "x")]),
            (["-ox"], [.option(index: 2, value: "x")]),
            (["-qox"], [.option(index: 1, value: ""), .option(index: 2, value: "x")]),
            (["--plugin-dir", "d"], [.option(index: 3, value: "d")]),
            ([], []),
        ] as [([String], [ScannedArgument])])
    func forms(arguments: [String], expected: [ScannedArgument]) {
        #expect(OptionScanner.scan(arguments, for: Self.patterns) == expected)
    }

    @Test("Operands keep their place, and what follows -- is never an option")
    func operands() {
        #expect(
            OptionScanner.scan(["a", "-q", "-", "b", "--", "--plugin", "c"], for: Self.patterns) == [
                .operand("a", isLiteral: false), .option(index: 1, value: ""), .operand("-", isLiteral: false),
                .operand("b", isLiteral: false), .operand("--plugin", isLiteral: true), .operand("c", isLiteral: true),
            ])
    }

    @Test(
        "What is wrong is named as it was written",
        arguments: [
            (["--plugn=x"], .unknown("--plugn")),
            (["--plugi", "x"], .unknown("--plugi")),
            (["--plugi"], .unknown("--plugi")),
            (["--quie=x"], .unknown("--quie")),
            (["--p", "x"], .unknown("--p")),
            (["-z"], .unknown("-z")),
            (["--plugin"], .missingValue(index: 0)),
            (["-o"], .missingValue(index: 2)),
            (["--quiet=x"], .unexpectedValue(index: 1)),
            (["--=x"], .unknown("--")),
        ] as [([String], ScannedArgument)])
    func mistakes(arguments: [String], expected: ScannedArgument) {
        #expect(OptionScanner.scan(arguments, for: Self.patterns).first == expected)
    }

    @Test("No command line made of these pieces trips the scanner, and nothing is found that was not written")
    func combinations() {
        let pieces = [
            "", "-", "--", "-q", "-é", "-qz", "--=", "--plugin", "--plugin=", "--quiet=", "--output", "-o", "a=b", "é",
        ]
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let arguments = [first, second, third]
                    let found = OptionScanner.scan(arguments, for: Self.patterns)
                    #expect(found.count <= arguments.reduce(0) { $0 + max(1, $1.utf8.count) }, "\(arguments)")
                }
            }
        }
    }
}
