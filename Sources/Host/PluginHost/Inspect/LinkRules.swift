// SPDX-License-Identifier: Apache-2.0

internal import CElf
internal import Glibc
internal import PluginABI

/// How a plugin must be linked: what its file says about symbols, stack, relocations, thread-local storage and the C library.
enum LinkRules {
    static func check(_ dynamic: DynamicInfo, segments: [ElfFile.Segment]) throws(Refusal) {
        try checkEntry(dynamic)
        // Without a stack header the system's loader takes the stack for executable.
        if segments.last(where: { $0.type == PT_GNU_STACK }).map({ $0.flags & UInt32(PF_X) != 0 }) ?? true {
            throw Refusal(
                .execStack, "the file asks for an executable stack",
                hint: "Link it with -z noexecstack, and mark assembly files with a .note.GNU-stack section.")
        }
        if dynamic.hasTextRelocations {
            throw Refusal(
                .textRelocations, "the file has code that the loader would have to rewrite (text relocations)",
                hint: "Compile every part of it with -fPIC.")
        }
        let threadLocal = threadLocalSize(segments)
        if dynamic.usesStaticTLS, threadLocal > largestStaticTLS {
            throw Refusal(
                .staticTLS,
                "the file needs \(threadLocal) bytes of static thread-local storage, the loader keeps \(largestStaticTLS) for libraries",
                hint: "Compile it without -ftls-model=initial-exec.")
        }
        try checkCLibrary(dynamic)
    }

    static func warnings(
        of dynamic: DynamicInfo, segments: [ElfFile.Segment], needs: [PluginInspection.Need], searched: [String]
    ) -> [PluginInspection.Warning] {
        var warnings: [PluginInspection.Warning] = []
        func warn(_ code: PluginInspection.Warning.Code, _ names: [String], _ sentence: (String) -> String) {
            if names.isEmpty { return }
            let list = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
            warnings.append(PluginInspection.Warning(code: code, message: sentence(list)))
        }
        let extra = dynamic.symbols.filter {
            $0.isDefined && $0.isStrong && !linkerSymbols.contains($0.name) && !$0.name.hasPrefix(entryPrefix)
        }
        warn(.extraExports, extra.map(\.name).sorted()) {
            "It exports more than its entry (\($0)); compile with -fvisibility=hidden, or link with a version script."
        }
        let risky = dynamic.symbols.filter { !$0.isDefined && riskyImports.contains($0.name) }
        warn(.riskyImports, risky.map(\.name).sorted()) {
            "It calls what would hurt its host (\($0)); a worker contains that, another process would not."
        }
        warn(.missingLibrary, needs.filter { $0.path == nil }.map(\.library)) {
            "It needs libraries that were not found (\($0)), looked for in \(searched.joined(separator: ", ")); install them, or set its RUNPATH."
        }
        if dynamic.usesStaticTLS {
            warn(.staticTLS, ["\(threadLocalSize(segments)) bytes"]) {
                "It uses static thread-local storage (\($0)), of which the loader keeps little; avoid -ftls-model=initial-exec."
            }
        }
        return warnings
    }

    private static func checkEntry(_ dynamic: DynamicInfo) throws(Refusal) {
        let hint = "Define it as in kitshell/plugin.h, with KIT_EXPORT, and in C++ as extern \"C\"."
        let candidates = dynamic.symbols.filter { $0.name == KIT_ENTRY_SYMBOL }
        guard let entry = candidates.first(where: \.isDefined) else {
            let what = candidates.isEmpty ? "does not export" : "only refers to, but does not define,"
            throw Refusal(.missingEntry, "the file \(what) the function \(KIT_ENTRY_SYMBOL)", hint: hint)
        }
        if !entry.isCode {
            throw Refusal(.missingEntry, "the file exports \(KIT_ENTRY_SYMBOL) as data, not as a function", hint: hint)
        }
    }

    /// The loader refuses a library that wants a newer C library, with a message that does not say what to do.
    private static func checkCLibrary(_ dynamic: DynamicInfo) throws(Refusal) {
        guard let here = SystemLibraries.glibcVersion else { return }
        let wanted = dynamic.needs.flatMap(\.versions).compactMap(SystemLibraries.Version.init(glibcSymbol:)).max()
        guard let wanted, wanted > here else { return }
        throw Refusal(
            .glibcTooNew, "the file needs GLIBC_\(wanted), this system has \(here)",
            hint: "Build the plugin on a system as old as this one, or run it on a newer one.")
    }

    private static func threadLocalSize(_ segments: [ElfFile.Segment]) -> UInt64 {
        segments.first { $0.type == PT_TLS }?.memorySize ?? 0
    }

    /// Bytes that glibc reserves for libraries loaded later (its tunable `rtld.optional_static_tls`).
    private static let largestStaticTLS: UInt64 = 512

    private static let entryPrefix = "kit_plugin_entry_v"
    /// What linkers add by themselves.
    private static let linkerSymbols: Set<String> = [
        "_init", "_fini", "_edata", "_end", "__bss_start", "__end__", "_etext", "__data_start",
    ]
    /// Calls that end, change or rewire the whole process.
    private static let riskyImports: Set<String> = [
        "exit", "_exit", "_Exit", "quick_exit", "abort", "fork", "vfork", "system", "setlocale", "umask", "chdir",
        "signal", "sigaction", "dlopen", "dlclose", "pthread_cancel", "longjmp", "siglongjmp", "setenv", "unsetenv",
        "putenv",
    ]
}
