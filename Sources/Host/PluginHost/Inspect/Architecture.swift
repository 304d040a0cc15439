// SPDX-License-Identifier: Apache-2.0

internal import CElf

/// What a library was built for.
package struct Architecture: Hashable, Sendable, CustomStringConvertible {
    /// 32 or 64.
    package var bits: Int
    package var isBigEndian: Bool
    /// The ELF machine number.
    package var machine: UInt16

    /// The one that this process runs on.
    package static var host: Architecture {
        #if arch(x86_64)
            Architecture(bits: 64, isBigEndian: false, machine: UInt16(EM_X86_64))
        #elseif arch(arm64)
            Architecture(bits: 64, isBigEndian: false, machine: UInt16(EM_AARCH64))
        #else
            #error("PlayerKit runs on x86-64 and AArch64.")
        #endif
    }

    package var machineName: String {
        switch Int32(machine) {
        case EM_386: "x86"
        case EM_X86_64: bits == 32 ? "x32" : "x86-64"
        case EM_ARM: "ARM"
        case EM_AARCH64: "AArch64"
        case EM_RISCV: "RISC-V"
        case EM_PPC64: "PowerPC 64"
        case EM_S390: "IBM S/390"
        case EM_MIPS: "MIPS"
        default: "machine \(machine)"
        }
    }

    /// As in `64-bit little-endian x86-64`.
    package var description: String {
        "\(bits)-bit \(isBigEndian ? "big" : "little")-endian \(machineName)"
    }
}
