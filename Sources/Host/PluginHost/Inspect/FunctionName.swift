// SPDX-License-Identifier: Apache-2.0

internal import CElf

/// Which function of a library an address lies in, as its own symbol table says.
///
/// The section table is not checked by inspection, and what it says is hostile: it is read here in pieces, with a bound on each count, and
/// one table of a kind. A library of usual size is far below the bounds; of one that is beyond, nothing is told.
enum FunctionName {
    private static let mostSections = 4096
    private static let mostSymbols: UInt64 = 1 << 18
    private static let longestName = 200
    private static let sectionSize = 64
    private static let symbolSize = 24
    /// Symbols that are in memory at a time.
    private static let symbolsAtATime = 4096

    private struct Table {
        var type: UInt32
        var offset: UInt64
        var size: UInt64
        /// The number of the section with the names.
        var link: UInt32
    }

    /// - Parameters:
    ///   - address: as the file counts, without the base it was mapped at.
    ///   - identity: of the file that was loaded; another one at the path is not looked into.
    /// - Returns: as in `on_events+0x1c`; nil if the table does not tell.
    static func find(_ address: UInt64, in path: String, identity: FileIdentity) -> String? {
        guard let file = try? LoadRules.open(path: path), file.status.identity == identity else { return nil }
        let sections = sections(of: file)
        // The full table names what is hidden too; a stripped file has only the other.
        for type in [UInt32(SHT_SYMTAB), UInt32(SHT_DYNSYM)] {
            if let table = sections.first(where: { $0.type == type }),
                let found = find(address, in: table, of: file, sections)
            {
                return found
            }
        }
        return nil
    }

    private static func sections(of file: borrowing CheckedFile) -> [Table] {
        guard let head = try? file.read(at: 0, count: ElfHeader.size),
            ElfHeader(head, fileSize: file.size).refusal == nil,
            let place: UInt64 = head.littleEndian(at: 40), let size: UInt16 = head.littleEndian(at: 58),
            let count: UInt16 = head.littleEndian(at: 60), Int(size) == sectionSize, Int(count) <= mostSections,
            let bytes = try? file.read(at: place, count: Int(count) * sectionSize)
        else { return [] }
        return stride(from: 0, to: bytes.count - bytes.count % sectionSize, by: sectionSize).map { at in
            Table(
                type: bytes.littleEndian(at: at + 4) ?? 0, offset: bytes.littleEndian(at: at + 24) ?? 0,
                size: bytes.littleEndian(at: at + 32) ?? 0, link: bytes.littleEndian(at: at + 40) ?? 0)
        }
    }

    private static func find(
        _ address: UInt64, in table: Table, of file: borrowing CheckedFile, _ sections: [Table]
    ) -> String? {
        var left = Int(clamping: table.size / UInt64(symbolSize))
        guard left <= mostSymbols, table.offset <= file.size, Int(table.link) < sections.count else { return nil }
        var offset = table.offset
        while left > 0 {
            let count = min(left, symbolsAtATime)
            guard let bytes = try? file.read(at: offset, count: count * symbolSize) else { return nil }
            for at in stride(from: 0, to: bytes.count - bytes.count % symbolSize, by: symbolSize) {
                guard bytes[at + 4] & 0xf == UInt8(STT_FUNC), let start: UInt64 = bytes.littleEndian(at: at + 8),
                    let size: UInt64 = bytes.littleEndian(at: at + 16), start <= address,
                    address - start < max(size, 1), let name: UInt32 = bytes.littleEndian(at: at)
                else { continue }
                let text = text(at: name, in: sections[Int(table.link)], of: file)
                return text.isEmpty ? nil : "\(text)+0x\(String(address - start, radix: 16))"
            }
            if bytes.count < count * symbolSize { return nil }
            left -= count
            offset += UInt64(count * symbolSize)
        }
        return nil
    }

    private static func text(at place: UInt32, in names: Table, of file: borrowing CheckedFile) -> String {
        let (offset, overflow) = names.offset.addingReportingOverflow(UInt64(place))
        guard UInt64(place) < names.size, !overflow else { return "" }
        let length = min(UInt64(longestName), names.size - UInt64(place))
        let bytes = try? file.read(at: offset, count: Int(length))
        return String(printable: (bytes ?? []).prefix { $0 != 0 })
    }
}
