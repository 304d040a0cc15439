// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

/// `scripts/fuzz.sh config` runs it for longer and from other seeds.
@Suite struct JSON5FuzzTests {
    private static let text = """
        { $schema: "x", a: [1, -2.5e3, 0x1f, .5, 'it\\'s', "\\u00e9\\ud83d\\ude00"], // c
          'b': {c: true, d: null,}, /* e */ f: Infinity, ünï: "\\
        " }
        """
    private static let pieces = Array("{}[]:,'\"\\/*+-.0xeEuNI \n\r\t\0".utf8) + [0x80, 0xc3, 0xe2, 0xff]

    @Test func damagedTextIsAValueOrAnErrorInsideOfIt() {
        func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
        let first = UInt64(number("KIT_FUZZ_SEED") ?? 1)
        let end = number("KIT_FUZZ_SECONDS").map { ContinuousClock.now + .seconds($0) }
        let count = number("KIT_FUZZ_COUNT") ?? 3000
        var done = 0
        while done < count, end.map({ ContinuousClock.now < $0 }) ?? true {
            let seed = first &+ UInt64(done)
            let bytes = JSON5FuzzTests.damaged(seed)
            let document = JSON5Reader().read(bytes)
            let lines = bytes.count { $0 == 0x0a || $0 == 0x0d } + 1
            let isSound =
                (document.root != nil || !document.errors.isEmpty)
                && document.errors.allSatisfy {
                    1...lines ~= $0.position.line && 1...bytes.count + 1 ~= $0.position.column
                }
            if !isSound { Issue.record("to repeat it: scripts/fuzz.sh config --count 1 --seed \(seed)") }
            done += 1
        }
    }

    private static func damaged(_ seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[index] = pieces.randomElement(using: &random) ?? 0
            case 1: bytes.insert(pieces.randomElement(using: &random) ?? 0, at: index)
            case 2: bytes.remove(at: index)
            default: bytes.insert(contentsOf: bytes[..<index], at: index)
            }
        }
        return bytes
    }
}
