// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Sizes, offsets, types and numbers of the plugin ABI: what the golden file says, and what a compiler says of the headers.
///
/// Lines: `struct NAME SIZE ALIGNMENT`, `member STRUCT.NAME OFFSET TYPE`, `constant NAME VALUE`.
struct LayoutGolden: Equatable {
    struct Structure: Equatable {
        var name: String
        var size: Int
        var alignment: Int
        var members: [Member] = []
    }

    struct Member: Equatable {
        var name: String
        var offset: Int
        var type: String
    }

    struct Constant: Equatable {
        var name: String
        var value: Int
    }

    var structures: [Structure] = []
    var constants: [Constant] = []

    static let regenerate = "KIT_REGENERATE_GOLDEN=1 swift test --filter PluginABITests"
    static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "abi-v1.golden").path

    static func read() throws -> LayoutGolden {
        LayoutGolden(text: try String(contentsOfFile: path, encoding: .utf8))
    }

    init(text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3).map(String.init)
            switch words.first {
            case "struct": structures.append(Structure(name: words[1], size: Int(words[2])!, alignment: Int(words[3])!))
            case "member":
                let name = String(words[1].split(separator: ".")[1])
                structures[structures.count - 1].members.append(
                    Member(name: name, offset: Int(words[2])!, type: words[3]))
            default: constants.append(Constant(name: words[1], value: Int(words[2])!))
            }
        }
    }

    var text: String {
        var lines: [String] = []
        for structure in structures {
            lines.append("struct \(structure.name) \(structure.size) \(structure.alignment)")
            for member in structure.members {
                lines.append("member \(structure.name).\(member.name) \(member.offset) \(member.type)")
            }
        }
        lines += constants.map { "constant \($0.name) \($0.value)" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Reads the headers with clang, which tells the layout of every structure.
    init(headersIn folder: String) throws {
        let directory = try TemporaryDirectory()
        let source = try directory.write(Array("#include <kitshell/kit.h>\n".utf8), to: "layout.c")
        let outcome = try CommandLineTool("clang").run([
            "-std=c11", "-I", folder, "-Xclang", "-fdump-record-layouts-complete", "-fsyntax-only", source,
        ])
        guard outcome.status == 0 else { throw CommandLineTool.Failure(description: outcome.output) }
        for block in outcome.output.components(separatedBy: "*** Dumping AST Record Layout") {
            readStructure(block)
        }
        structures.sort { $0.name < $1.name }
        try readConstants(folder)
    }

    private mutating func readStructure(_ block: String) {
        guard let head = block.firstMatch(of: /\| struct (kit_\w+)\n/),
            let end = block.firstMatch(of: /\[sizeof=(\d+), align=(\d+)\]/)
        else { return }
        var structure = Structure(name: String(head.1), size: Int(end.1)!, alignment: Int(end.2)!)
        for line in block.split(separator: "\n") {
            // Members of members are indented further.
            guard let match = line.firstMatch(of: /^ *(\d+) \|   (\S.*) (\w+)$/) else { continue }
            structure.members.append(Member(name: String(match.3), offset: Int(match.1)!, type: String(match.2)))
        }
        structures.append(structure)
    }

    private mutating func readConstants(_ folder: String) throws {
        let kitshell = URL(filePath: folder).appending(path: "kitshell")
        for name in try FileManager.default.contentsOfDirectory(atPath: kitshell.path).sorted() {
            let text = try String(contentsOf: kitshell.appending(path: name), encoding: .utf8)
            for match in text.matches(of: /\b(KIT_\w+) = (-?\d+)/) {
                constants.append(Constant(name: String(match.1), value: Int(match.2)!))
            }
            for match in text.matches(of: /#define (KIT_\w+) (\d+)\n/) {
                constants.append(Constant(name: String(match.1), value: Int(match.2)!))
            }
        }
    }

    /// The golden file as assertions of a C or C++ compiler.
    func assertions(keyword: String) -> String {
        var lines = ["#include <stddef.h>", "#include <kitshell/kit.h>"]
        func require(_ condition: String) { lines.append("\(keyword)(\(condition), \"\(condition)\");") }
        for structure in structures {
            require("sizeof(\(structure.name)) == \(structure.size)")
            for member in structure.members {
                require("offsetof(\(structure.name), \(member.name)) == \(member.offset)")
            }
        }
        for constant in constants { require("\(constant.name) == \(constant.value)") }
        return lines.joined(separator: "\n") + "\n"
    }
}
