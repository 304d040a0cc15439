// SPDX-License-Identifier: Apache-2.0

import PluginHost
import TestSupport
import Testing

@Suite struct HashTests {
    // Lengths around the block of 64 bytes, and more than one read; what sha256sum prints for so many bytes "a".
    @Test(arguments: [1, 55, 56, 57, 63, 64, 65, 119, 120, 1_048_576, 1_500_000])
    func theHashIsThatOfTheFile(length: Int) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write([UInt8](repeating: UInt8(ascii: "a"), count: length), to: "file")
        let outcome = try CommandLineTool("sha256sum").run([path])
        let hash = try #require(PluginInspector.inspect(path: path, hashing: true).sha256)
        #expect(outcome.output.hasPrefix(hash + " "))
    }

    @Test func theHashOfAKnownTextIsTheStandardsOwn() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Array("abc".utf8), to: "file")
        #expect(
            PluginInspector.inspect(path: path, hashing: true).sha256
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(PluginInspector.inspect(path: path).sha256 == nil, "it is computed only when asked for")
    }
}
