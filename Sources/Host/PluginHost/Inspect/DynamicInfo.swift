// SPDX-License-Identifier: Apache-2.0

internal import CElf

/// What the dynamic section of a library leads to: symbols, needed libraries, and how it wants to be linked. Found the way the
/// system's loader finds it, by address through the loaded segments.
struct DynamicInfo {
    struct Symbol {
        var name: String
        var isDefined: Bool
        var isStrong: Bool
        var isCode: Bool
    }

    struct Need {
        var library: String
        var versions: [String]
    }

    /// Global symbols that other libraries can see, or that it expects from them.
    var symbols: [Symbol] = []
    var needs: [Need] = []
    /// Directories of `DT_RUNPATH`, else `DT_RPATH`, colon-separated.
    var searchPath: String?
    var isExecutable = false
    var hasTextRelocations = false
    var usesStaticTLS = false

    private let entries: [ElfFile.DynamicEntry]
    private let loaded: [ElfFile.Segment]
    private var strings: [UInt8] = []
    private var nameBytesLeft = mostNameBytes

    init(_ file: borrowing ElfFile) throws(Refusal) {
        loaded = file.segments.filter { $0.type == PT_LOAD }
        guard let segment = file.segments.first(where: { $0.type == PT_DYNAMIC }) else {
            throw ElfHeader.malformed("it has no dynamic section")
        }
        entries = try file.dynamicEntries(in: segment)
        let flags = value(DT_FLAGS) ?? 0
        isExecutable = (value(DT_FLAGS_1) ?? 0) & UInt64(DF_1_PIE) != 0
        hasTextRelocations = value(DT_TEXTREL) != nil || flags & UInt64(DF_TEXTREL) != 0
        usesStaticTLS = flags & UInt64(DF_STATIC_TLS) != 0

        try readStrings(file)
        try readNeeds(file)
        try readSymbols(file)
    }

    private mutating func readStrings(_ file: borrowing ElfFile) throws(Refusal) {
        guard let address = value(DT_STRTAB), let size = value(DT_STRSZ) else { return }
        if size > DynamicInfo.largestStringTable {
            throw ElfHeader.malformed(
                "its names have \(size) bytes, at most \(DynamicInfo.largestStringTable) are read")
        }
        strings = try file.bytes(at: try place(of: address, size: size, what: "its names").offset, count: size)
    }

    private mutating func readNeeds(_ file: borrowing ElfFile) throws(Refusal) {
        if let path = value(DT_RUNPATH) ?? value(DT_RPATH) { searchPath = try string(at: path) }
        for entry in entries where entry.tag == Int64(DT_NEEDED) {
            let library = try string(at: entry.value)
            // No linker writes one, and loaders take it for the program itself.
            if library.isEmpty { throw ElfHeader.malformed("it needs a library that has no name") }
            needs.append(Need(library: library, versions: []))
        }
        guard let address = value(DT_VERNEED), let count = value(DT_VERNEEDNUM) else { return }
        let place = try place(of: address, size: 16, what: "its version needs")
        for need in try file.versionNeeds(at: place.offset, size: place.available, count: count) {
            let library = try string(at: UInt64(need.file))
            guard let index = needs.firstIndex(where: { $0.library == library }) else { continue }
            for version in need.versions { needs[index].versions.append(try string(at: UInt64(version))) }
        }
    }

    private mutating func readSymbols(_ file: borrowing ElfFile) throws(Refusal) {
        guard let address = value(DT_SYMTAB) else { return }
        let place = try place(of: address, size: 0, what: "its symbols")
        let room = place.available / 24
        // Linkers put the names right after the symbols.
        let names = value(DT_STRTAB).flatMap { $0 > address ? ($0 - address) / 24 : nil } ?? 0
        let count = try symbolCount(file) ?? min(names, room)
        if count > room {
            throw ElfHeader.malformed("its hash table speaks of \(count) symbols, there is room for \(room)")
        }
        for symbol in try file.symbols(at: place.offset, count: count) {
            guard [STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE].contains(symbol.binding), symbol.name != 0 else { continue }
            let isVisible = [STV_DEFAULT, STV_PROTECTED].contains(symbol.visibility)
            guard isVisible || !symbol.isDefined else { continue }
            symbols.append(
                Symbol(
                    name: try string(at: UInt64(symbol.name)), isDefined: symbol.isDefined,
                    isStrong: symbol.binding == STB_GLOBAL,
                    isCode: [STT_FUNC, STT_NOTYPE, STT_GNU_IFUNC].contains(symbol.type)))
        }
    }

    /// How many dynamic symbols there are, as the hash tables tell; nil if nothing is exported, for then they do not.
    private func symbolCount(_ file: borrowing ElfFile) throws(Refusal) -> UInt64? {
        if let address = value(DT_HASH) {
            let place = try place(of: address, size: 8, what: "its hash table")
            return UInt64(try file.bytes(at: place.offset, count: 8).littleEndian(UInt32.self, at: 4) ?? 0)
        }
        guard let address = value(DT_GNU_HASH) else { return nil }
        let place = try place(of: address, size: 16, what: "its hash table")
        func table(at offset: UInt64, words: UInt64) throws(Refusal) -> [UInt32] {
            guard offset <= place.available, words <= (place.available - offset) / 4 else {
                throw ElfHeader.malformed("its hash table runs past the end of its segment")
            }
            let bytes = try file.bytes(at: place.offset + offset, count: words * 4)
            return (0..<Int(words)).compactMap { bytes.littleEndian(at: $0 * 4) }
        }
        let head = try table(at: 0, words: 4)
        let (bucketCount, firstHashed, bloomCount) = (UInt64(head[0]), UInt64(head[1]), UInt64(head[2]))
        if bucketCount > ElfFile.mostSymbols {
            throw ElfHeader.malformed("its hash table has \(bucketCount) buckets")
        }
        let buckets = 16 + bloomCount * 8
        var last = UInt64(try table(at: buckets, words: bucketCount).max() ?? 0)
        if last < firstHashed { return nil }
        // The chain of the last bucket ends with the last symbol.
        let chains = buckets + bucketCount * 4
        while last <= ElfFile.mostSymbols {
            let offset = chains + (last - firstHashed) * 4
            let rest = place.available > offset ? (place.available - offset) / 4 : 0
            for chain in try table(at: offset, words: min(max(rest, 1), 256)) {
                last += 1
                if chain & 1 != 0 { return last }
            }
        }
        throw ElfHeader.malformed("it has more than \(ElfFile.mostSymbols) dynamic symbols")
    }

    /// Where the bytes at an address lie in the file, and how many follow there.
    private func place(
        of address: UInt64, size: UInt64, what: String
    ) throws(Refusal) -> (offset: UInt64, available: UInt64) {
        for segment in loaded where address >= segment.address && address - segment.address < segment.fileSize {
            let distance = address - segment.address
            let available = segment.fileSize - distance
            let (offset, overflow) = segment.offset.addingReportingOverflow(distance)
            if size <= available, !overflow { return (offset, available) }
        }
        throw ElfHeader.malformed("\(what) (address \(address)) lie in no segment")
    }

    private func value(_ tag: Int32) -> UInt64? {
        entries.first { $0.tag == Int64(tag) }?.value
    }

    private mutating func string(at offset: UInt64) throws(Refusal) -> String {
        guard offset < UInt64(strings.count) else { return "" }
        let name = strings[Int(offset)...].prefix { $0 != 0 }
        // Many entries may name one long string.
        nameBytesLeft -= name.count
        if nameBytesLeft < 0 {
            throw ElfHeader.malformed("its names add up to more than \(DynamicInfo.mostNameBytes) bytes")
        }
        return String(printable: name)
    }

    /// Bytes; far above what linkers make.
    private static let largestStringTable: UInt64 = 32 << 20
    private static let mostNameBytes = 32 << 20
}
