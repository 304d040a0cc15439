// SPDX-License-Identifier: Apache-2.0

internal import CElf
// Which module the symbols of elf.h belong to depends on which was read first.
internal import Glibc

/// A little-endian 64-bit ELF file of this machine, read through libelf: program headers and what they lead to. The section table is
/// never looked at. Nothing is mapped, so a file that shrinks meanwhile gives short reads, never a signal.
///
/// Every offset and length comes from the file and is checked here before libelf sees it. Thread: one at a time.
@safe
struct ElfFile: ~Copyable {
    /// A program header.
    struct Segment {
        var type: Int32
        var flags: UInt32
        var offset: UInt64
        var address: UInt64
        var fileSize: UInt64
        var memorySize: UInt64
        var alignment: UInt64
    }

    /// A note of a `PT_NOTE` segment.
    struct Note {
        var owner: [UInt8]
        var type: UInt32
        var contents: [UInt8]
    }

    /// An entry of the dynamic section.
    struct DynamicEntry {
        var tag: Int64
        var value: UInt64
    }

    /// An entry of the dynamic symbol table.
    struct Symbol {
        var name: UInt32
        var binding: Int32
        var type: Int32
        var visibility: Int32
        var isDefined: Bool
    }

    /// The versions that a library wants of another one.
    struct VersionNeed {
        var file: UInt32
        /// Offsets of the versions' names; weak ones are left out.
        var versions: [UInt32]
    }

    private let elf: OpaquePointer
    private let fileSize: UInt64
    let segments: [Segment]

    init(_ file: borrowing CheckedFile, header: ElfHeader) throws(Refusal) {
        elf_version(UInt32(EV_CURRENT))
        guard let elf = unsafe elf_begin(file.descriptor, ELF_C_READ, nil) else {
            throw ElfHeader.malformed(ElfFile.lastMessage)
        }
        do {
            segments = try unsafe ElfFile.segments(of: elf, count: header.segmentCount)
        } catch {
            unsafe elf_end(elf)
            throw error
        }
        unsafe self.elf = elf
        fileSize = file.size
    }

    deinit {
        unsafe elf_end(elf)
    }

    /// Bytes of the file.
    func bytes(at offset: UInt64, count: UInt64) throws(Refusal) -> [UInt8] {
        let data = try unsafe chunk(at: offset, count: count, as: ELF_T_BYTE)
        return unsafe ElfFile.copy(data)
    }

    /// The notes of one segment, at most `limit` bytes of them.
    func notes(in segment: Segment, limit: UInt64) throws(Refusal) -> [Note] {
        if segment.fileSize > limit {
            throw Refusal(
                .badNote, "its notes have \(segment.fileSize) bytes, at most \(limit) are read",
                hint: "Emit notes with the macros of kitshell/note.h only.")
        }
        if segment.fileSize == 0 { return [] }
        let data = try unsafe chunk(
            at: segment.offset, count: segment.fileSize, as: segment.alignment == 8 ? ELF_T_NHDR8 : ELF_T_NHDR)
        let bytes = unsafe ElfFile.copy(data)
        var notes: [Note] = []
        var offset = 0
        while offset < bytes.count {
            var raw = GElf_Nhdr()
            var nameOffset = 0
            var contentsOffset = 0
            let next = unsafe gelf_getnote(data, offset, &raw, &nameOffset, &contentsOffset)
            guard next > offset, let owner = bytes.slice(at: nameOffset, length: Int(raw.n_namesz)),
                let contents = bytes.slice(at: contentsOffset, length: Int(raw.n_descsz))
            else {
                throw Refusal(
                    .badNote, "a note at byte \(offset) of \(bytes.count) bytes of notes runs past their end",
                    hint: "Emit notes with the macros of kitshell/note.h only.")
            }
            notes.append(Note(owner: Array(owner), type: raw.n_type, contents: Array(contents)))
            offset = next
        }
        return notes
    }

    /// The entries of a dynamic section, up to the one that ends it.
    func dynamicEntries(in segment: Segment) throws(Refusal) -> [DynamicEntry] {
        let entrySize: UInt64 = 16
        let count = min(segment.fileSize / entrySize, ElfFile.mostDynamicEntries)
        if count == 0 { return [] }
        let data = try unsafe chunk(at: segment.offset, count: count * entrySize, as: ELF_T_DYN)
        var entries: [DynamicEntry] = []
        for index in 0..<Int32(count) {
            var raw = GElf_Dyn()
            guard unsafe gelf_getdyn(data, index, &raw) != nil, Int32(truncatingIfNeeded: raw.d_tag) != DT_NULL else {
                break
            }
            entries.append(DynamicEntry(tag: raw.d_tag, value: unsafe raw.d_un.d_val))
        }
        return entries
    }

    /// The first `count` entries of a symbol table that begins at `offset`.
    func symbols(at offset: UInt64, count: UInt64) throws(Refusal) -> [Symbol] {
        if count == 0 { return [] }
        if count > ElfFile.mostSymbols {
            throw ElfHeader.malformed("it has \(count) dynamic symbols, at most \(ElfFile.mostSymbols) are read")
        }
        let data = try unsafe chunk(at: offset, count: count * 24, as: ELF_T_SYM)
        var symbols: [Symbol] = []
        symbols.reserveCapacity(Int(count))
        for index in 0..<Int32(count) {
            var raw = GElf_Sym()
            guard unsafe gelf_getsym(data, index, &raw) != nil else { break }
            symbols.append(
                Symbol(
                    name: raw.st_name, binding: Int32(raw.st_info >> 4), type: Int32(raw.st_info & 0xF),
                    visibility: Int32(raw.st_other & 3), isDefined: Int32(raw.st_shndx) != SHN_UNDEF))
        }
        return symbols
    }

    /// The version needs that begin at `offset` and lie within `size` bytes.
    ///
    /// - Parameter count: how many libraries the file says it wants versions of.
    func versionNeeds(at offset: UInt64, size: UInt64, count: UInt64) throws(Refusal) -> [VersionNeed] {
        if size == 0 { return [] }
        let data = try unsafe chunk(at: offset, count: min(size, ElfFile.mostVersionBytes), as: ELF_T_VNEED)
        var needs: [VersionNeed] = []
        var position: Int32 = 0
        // Offsets lead anywhere, so a budget bounds both loops whatever the counts claim.
        var budget = ElfFile.mostVersions
        for _ in 0..<min(count, UInt64(budget)) {
            var raw = GElf_Verneed()
            guard unsafe gelf_getverneed(data, position, &raw) != nil else { break }
            var need = VersionNeed(file: raw.vn_file, versions: [])
            var auxiliary = position &+ Int32(truncatingIfNeeded: raw.vn_aux)
            for _ in 0..<raw.vn_cnt where budget > 0 {
                budget -= 1
                var version = GElf_Vernaux()
                guard unsafe gelf_getvernaux(data, auxiliary, &version) != nil else { break }
                if Int32(version.vna_flags) & VER_FLG_WEAK == 0 { need.versions.append(version.vna_name) }
                if version.vna_next == 0 { break }
                auxiliary = auxiliary &+ Int32(truncatingIfNeeded: version.vna_next)
            }
            needs.append(need)
            if raw.vn_next == 0 { break }
            position = position &+ Int32(truncatingIfNeeded: raw.vn_next)
        }
        return needs
    }

    /// Far above what any linker makes; they bound time and memory.
    private static let mostDynamicEntries: UInt64 = 4096
    static let mostSymbols: UInt64 = 1 << 18
    private static let mostVersions = 16_384
    private static let mostVersionBytes: UInt64 = 1 << 20

    /// Bytes of the file as libelf's view of a table; alive as long as this file.
    @unsafe
    private func chunk(
        at offset: UInt64, count: UInt64, as type: Elf_Type
    ) throws(Refusal) -> UnsafeMutablePointer<Elf_Data> {
        guard offset <= fileSize, count <= fileSize - offset, let start = Int64(exactly: offset),
            let size = Int(exactly: count)
        else {
            let (end, overflow) = offset.addingReportingOverflow(count)
            throw ElfHeader.truncated("one of its tables", end: overflow ? .max : end, fileSize)
        }
        guard let data = unsafe elf_getdata_rawchunk(elf, start, size, type) else {
            throw ElfHeader.malformed(ElfFile.lastMessage)
        }
        return unsafe data
    }

    private static func segments(of elf: OpaquePointer, count: Int) throws(Refusal) -> [Segment] {
        var segments: [Segment] = []
        for index in 0..<count {
            var raw = GElf_Phdr()
            guard unsafe gelf_getphdr(elf, Int32(index), &raw) != nil else {
                throw ElfHeader.malformed("program header \(index): \(lastMessage)")
            }
            segments.append(
                Segment(
                    type: Int32(bitPattern: raw.p_type), flags: raw.p_flags, offset: raw.p_offset,
                    address: raw.p_vaddr, fileSize: raw.p_filesz, memorySize: raw.p_memsz, alignment: raw.p_align))
        }
        return segments
    }

    private static func copy(_ data: UnsafeMutablePointer<Elf_Data>) -> [UInt8] {
        guard let start = unsafe data.pointee.d_buf else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: data.pointee.d_size))
    }

    private static var lastMessage: String {
        guard let message = unsafe elf_errmsg(-1) else { return "it cannot be read" }
        return unsafe String(cString: message)
    }
}
