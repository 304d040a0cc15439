// SPDX-License-Identifier: Apache-2.0

internal import CElf
internal import Glibc

/// Which function of a library an address lies in, as its own symbol table says.
enum FunctionName {
    /// A larger file is not looked into: whoever asks has others to serve.
    private static let largestFile: UInt64 = 8 << 20
    private static let mostSymbols = 100_000
    private static let longestName = 200

    /// - Parameter address: as the file counts, without the base it was mapped at.
    /// - Returns: as in `on_events+0x1c`; nil if the table does not tell.
    static func find(_ address: UInt64, in path: String) -> String? {
        guard let file = try? LoadRules.open(path: path), file.size <= largestFile,
            elf_version(UInt32(EV_CURRENT)) != EV_NONE,
            let elf = unsafe elf_begin(file.descriptor, ELF_C_READ, nil)
        else { return nil }
        defer { unsafe _ = elf_end(elf) }
        // The full table names what is hidden too; a stripped file has only the other.
        return unsafe find(address, elf, table: UInt32(SHT_SYMTAB)) ?? find(address, elf, table: UInt32(SHT_DYNSYM))
    }

    private static func find(_ address: UInt64, _ elf: OpaquePointer, table: UInt32) -> String? {
        var section = unsafe elf_nextscn(elf, nil)
        while let current = unsafe section {
            var header = GElf_Shdr()
            if unsafe gelf_getshdr(current, &header) != nil, header.sh_type == table, header.sh_entsize > 0,
                let data = unsafe elf_getdata(current, nil)
            {
                let count = min(Int(clamping: header.sh_size / header.sh_entsize), mostSymbols)
                for index in 0..<count {
                    var symbol = GElf_Sym()
                    guard unsafe gelf_getsym(data, Int32(index), &symbol) != nil else { break }
                    let isFunction = symbol.st_info & 0xf == UInt8(STT_FUNC)
                    guard isFunction, symbol.st_value <= address, address - symbol.st_value < max(symbol.st_size, 1),
                        let name = unsafe elf_strptr(elf, Int(header.sh_link), Int(symbol.st_name))
                    else { continue }
                    let text = unsafe String(cString: name).prefix(longestName)
                    return "\(text)+0x\(String(address - symbol.st_value, radix: 16))"
                }
            }
            unsafe section = elf_nextscn(elf, current)
        }
        return nil
    }
}
