// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What was published stays as it was. `abi-v1.MINOR.golden` is the ABI as that minor has it; none of these files is ever changed again.
@Suite struct PublishedLayoutTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    static let published = ["abi-v1.0.golden"]

    /// Of fixed size for the whole major: they carry no size of their own, or are frozen by name.
    private static let fixed: Set = ["kit_str", "kit_note_head", "kit_plugin_v1", "kit_event_v1"]
    /// What every minor changes.
    private static let moving: Set = ["KIT_ABI_MINOR"]

    @Test(arguments: published)
    func staysInTheHeaders(name: String) throws {
        let former = LayoutGolden(
            text: try String(contentsOf: PublishedLayoutTests.folder.appending(path: name), encoding: .utf8))
        #expect(!former.structures.isEmpty && !former.constants.isEmpty)
        let broken = PublishedLayoutTests.breaks(from: former, to: try LayoutGolden.read())
        #expect(broken == [], "docs/abi-changes.md says what may change in a minor")
    }

    @Test func aMemberThatMovesIsABreak() {
        let former = LayoutGolden(
            text: """
                struct kit_a_v1 16 8
                member kit_a_v1.struct_size 0 uint32_t
                member kit_a_v1.count 8 int64_t
                struct kit_str 16 8
                member kit_str.ptr 0 const char *
                constant KIT_ONE 1
                constant KIT_ABI_MINOR 0
                """)
        func breaks(_ change: (inout LayoutGolden) -> Void) -> [String] {
            var changed = former
            change(&changed)
            return PublishedLayoutTests.breaks(from: former, to: changed)
        }
        #expect(breaks { _ in } == [])
        #expect(
            breaks {
                $0.structures[0].size = 24
                $0.structures[0].members.append(.init(name: "more", offset: 16, type: "int64_t"))
                $0.constants.append(.init(name: "KIT_TWO", value: 2))
                $0.constants[1].value = 1
            } == [])
        #expect(breaks { $0.structures[0].members[1].offset = 4 } == ["kit_a_v1.count"])
        #expect(breaks { $0.structures[0].members[1].type = "uint64_t" } == ["kit_a_v1.count"])
        #expect(breaks { $0.structures[0].members.removeLast() } == ["kit_a_v1.count"])
        #expect(breaks { $0.structures[0].size = 8 } == ["kit_a_v1"])
        #expect(breaks { $0.structures[0].alignment = 16 } == ["kit_a_v1"])
        #expect(
            breaks {
                $0.structures[0].size = 24
                $0.structures[0].members.insert(.init(name: "early", offset: 12, type: "uint32_t"), at: 2)
            } == ["kit_a_v1.early"])
        #expect(breaks { $0.structures[1].size = 24 } == ["kit_str"])
        #expect(breaks { $0.structures.removeFirst() } == ["kit_a_v1"])
        #expect(breaks { $0.constants[0].value = 2 } == ["KIT_ONE"])
        #expect(breaks { $0.constants.removeFirst() } == ["KIT_ONE"])
    }

    /// What the later ABI has changed and may not.
    static func breaks(from former: LayoutGolden, to later: LayoutGolden) -> [String] {
        var broken: [String] = []
        for old in former.structures {
            guard let new = later.structures.first(where: { $0.name == old.name }),
                new.alignment == old.alignment,
                fixed.contains(old.name) ? new.size == old.size : new.size >= old.size
            else {
                broken.append(old.name)
                continue
            }
            for member in old.members where !new.members.contains(member) {
                broken.append("\(old.name).\(member.name)")
            }
            // What is new lies behind what was there, padding included.
            for member in new.members where !old.members.contains(where: { $0.name == member.name }) {
                if member.offset < old.size { broken.append("\(old.name).\(member.name)") }
            }
        }
        for constant in former.constants where !moving.contains(constant.name) {
            if !later.constants.contains(constant) { broken.append(constant.name) }
        }
        return broken
    }
}
