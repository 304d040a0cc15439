// SPDX-License-Identifier: Apache-2.0

import Foundation
import PluginHost
import TestSupport
import Testing

/// Damaged files of every kind: there is always a verdict, and reading them neither crashes nor hangs.
@Suite struct MutationTests {
    /// Values at which arithmetic goes wrong.
    static let edges: [UInt64] = [
        0, 1, 2, 3, 7, 8, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x10000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF0, 0xFFFF_FFFF,
        0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFF0, 0xFFFF_FFFF_FFFF_FFFF,
    ]

    /// Offsets that matter: headers, notes, dynamic section, hash table and symbols; the rest is code and padding.
    static func places(_ editor: ElfEditor) throws -> [Range<Int>] {
        var places = [0..<64, 64..<(64 + 56 * Int(editor.get(UInt16.self, at: 56)))]
        for type in [2, 4] as [UInt32] {
            for header in editor.segments(type) {
                let start = Int(editor.get(UInt64.self, at: header + 8))
                places.append(start..<(start + Int(editor.get(UInt64.self, at: header + 32))))
            }
        }
        for tag in [5, 6, 0x6FFF_FEF5, 0x6FFF_FFFE] as [Int64] {
            // Tables lie in the first segment, where addresses are offsets.
            guard let entry = editor.dynamic(tag) else { continue }
            let start = Int(editor.get(UInt64.self, at: entry))
            places.append(start..<min(start + 96, editor.bytes.count))
        }
        return places
    }

    static func mutate(_ editor: inout ElfEditor, places: [Range<Int>], using random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = places.randomElement(using: &random)!
            let offset = Int.random(in: place, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: editor.bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: editor.bytes[offset] = UInt8.random(in: .min ... .max, using: &random)
            case 2:
                let aligned = min(offset & ~3, editor.bytes.count - 4)
                editor.set(UInt32(truncatingIfNeeded: edges.randomElement(using: &random)!), at: aligned)
            default:
                let aligned = min(offset & ~7, editor.bytes.count - 8)
                editor.set(edges.randomElement(using: &random)!, at: aligned)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func aMutatedPluginAlwaysGetsAVerdict(seed: UInt64) throws {
        let source = GoodPlugin.source(
            extra: """
                #include <string.h>
                void *copy(void *to, const void *from, unsigned long n);
                void *copy(void *to, const void *from, unsigned long n) { return memcpy(to, from, n); }
                """)
        let directory = try TemporaryDirectory()
        let path = try CommandLineTool.compile(source, to: "mutant.so", in: directory)
        let original = ElfEditor(try ElfEditor.contents(of: path))
        let places = try MutationTests.places(original)
        var random = SeededGenerator(seed: seed)
        let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var verdicts: [String: Int] = [:]
        for _ in 0..<MutationTests.count {
            var editor = original
            MutationTests.mutate(&editor, places: places, using: &random)
            #expect(unsafe pwrite(descriptor, editor.bytes, editor.bytes.count, 0) == editor.bytes.count)
            let inspection = PluginInspector.inspect(path: path)
            verdicts[inspection.refusal?.code.rawValue ?? "accepted", default: 0] += 1
            if inspection.refusal == nil { _ = try inspection.accepted() }
        }
        #expect(verdicts.values.reduce(0, +) == MutationTests.count)
        #expect(verdicts.count > 8, "mutations reach many rules: \(verdicts)")
    }

    /// A longer run: `KIT_MUTATIONS=20000`, for each of four seeds.
    static let count = ProcessInfo.processInfo.environment["KIT_MUTATIONS"].flatMap { Int($0) } ?? 500
}
