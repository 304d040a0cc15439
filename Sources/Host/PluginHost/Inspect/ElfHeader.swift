// SPDX-License-Identifier: Apache-2.0

internal import CElf

/// The first bytes of a file: whether it is an ELF library of this machine at all. Everything else is read only if it is.
struct ElfHeader {
    /// Bytes of the header of a 64-bit file.
    static let size = 64
    /// More program headers than any linker makes.
    static let mostSegments = 128

    /// What the file was built for; nil if it is not even ELF.
    var architecture: Architecture?
    var segmentTableOffset: UInt64 = 0
    var segmentCount = 0
    /// Why the file cannot be a library of this machine.
    var refusal: Refusal?

    init(_ bytes: [UInt8], fileSize: UInt64) {
        do {
            try read(bytes, fileSize: fileSize)
        } catch {
            refusal = error
        }
    }

    private mutating func read(_ bytes: [UInt8], fileSize: UInt64) throws(Refusal) {
        guard bytes.starts(with: [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F")]) else {
            throw ElfHeader.notELF(bytes)
        }
        guard bytes.count >= 20 else { throw ElfHeader.truncated("its header", end: UInt64(ElfHeader.size), fileSize) }
        let isBigEndian = Int32(bytes[5]) == ELFDATA2MSB
        func half(_ offset: Int) -> UInt16 {
            let value = bytes.littleEndian(UInt16.self, at: offset) ?? 0
            return isBigEndian ? value.byteSwapped : value
        }
        let architecture = Architecture(
            bits: Int32(bytes[4]) == ELFCLASS32 ? 32 : 64, isBigEndian: isBigEndian, machine: half(18))
        self.architecture = architecture

        if Int32(bytes[4]) == ELFCLASS32 {
            throw Refusal(
                .wrongClass, "the file is 32-bit (\(architecture.machineName)), this host is 64-bit",
                hint: "Build the plugin for \(Architecture.host).")
        }
        if isBigEndian {
            throw Refusal(
                .wrongEndian, "the file is big-endian (\(architecture.machineName)), this host is little-endian",
                hint: "Build the plugin for \(Architecture.host).")
        }
        if architecture.machine != Architecture.host.machine {
            throw Refusal(
                .wrongMachine,
                """
                the file is built for \(architecture.machineName) (machine \(architecture.machine)), this host is \
                \(Architecture.host.machineName) (machine \(Architecture.host.machine))
                """,
                hint: "Build the plugin for \(Architecture.host).")
        }
        guard Int32(bytes[4]) == ELFCLASS64, Int32(bytes[5]) == ELFDATA2LSB, bytes[6] == 1,
            [ELFOSABI_SYSV, ELFOSABI_LINUX].contains(Int32(bytes[7]))
        else {
            throw ElfHeader.malformed(
                "its identification (class \(bytes[4]), order \(bytes[5]), version \(bytes[6]), system \(bytes[7])) "
                    + "is not that of a Linux library")
        }
        try requireLibrary(half(16))

        guard bytes.count >= ElfHeader.size, let tableOffset: UInt64 = bytes.littleEndian(at: 32) else {
            throw ElfHeader.truncated("its header", end: UInt64(ElfHeader.size), fileSize)
        }
        let entrySize = half(54)
        segmentCount = Int(half(56))
        segmentTableOffset = tableOffset
        if entrySize != 56 || segmentCount == 0 || segmentCount > ElfHeader.mostSegments {
            throw ElfHeader.malformed("it has \(segmentCount) program headers of \(entrySize) bytes")
        }
        // libelf makes room for every section as soon as it opens a file, and such a file may claim any number of them.
        if half(60) == 0, bytes.littleEndian(UInt64.self, at: 40) != 0 {
            throw ElfHeader.malformed("it has a section table of unknown length")
        }
        let (end, overflow) = tableOffset.addingReportingOverflow(UInt64(segmentCount) * 56)
        if overflow || end > fileSize { throw ElfHeader.truncated("its program headers", end: end, fileSize) }
    }

    private func requireLibrary(_ type: UInt16) throws(Refusal) {
        switch Int32(type) {
        case ET_DYN: return
        case ET_REL:
            throw Refusal(
                .objectFile, "the file is an object file, not linked yet",
                hint: "Link it into a shared library: cc -shared -o plugin.so plugin.o.")
        case ET_EXEC: throw ElfHeader.executable
        case ET_CORE:
            throw Refusal(
                .coreFile, "the file is the memory image of a crashed process",
                hint: "Give the path of the plugin's shared library (.so).")
        default: throw ElfHeader.malformed("its type is \(type)")
        }
    }

    static var executable: Refusal {
        Refusal(
            .executable, "the file is a program, not a shared library",
            hint: "Link it as a library: cc -shared -fPIC -o plugin.so plugin.c.")
    }

    static func malformed(_ what: String) -> Refusal {
        Refusal(.malformed, "the file is damaged: \(what)", hint: "Build or copy it again.")
    }

    static func truncated(_ what: String, end: UInt64, _ fileSize: UInt64) -> Refusal {
        Refusal(
            .truncated, "the file is cut off: \(what) would end at byte \(end), the file has \(fileSize)",
            hint: "Copy or build it again; install plugins by renaming a finished copy into place.")
    }

    private static func notELF(_ bytes: [UInt8]) -> Refusal {
        let signatures: [(String, String)] = [
            ("!<arch>", "a static library (.a)"), ("#!", "a script"), ("MZ", "a Windows program or library"),
            ("\u{7F}ELF", "a cut-off library"), ("PK", "a zip archive"),
        ]
        let isText = bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        let what =
            signatures.first { bytes.starts(with: $0.0.utf8) }?.1 ?? (isText ? "text" : "no ELF file")
        return Refusal(
            .notELF, "the file is \(what), a plugin is a shared library in ELF format",
            hint: "Give the path of the plugin's shared library (.so).")
    }
}
