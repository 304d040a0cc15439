// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import FaultGuard
internal import PluginABI

extension PluginLibrary {
    /// Maps the file, calls its entry and checks what that gave. Runs code of the plugin.
    static func load(
        _ file: PluginFile, services: HostServices, journal: JournalEntry?
    ) throws(PluginError) -> PluginLibrary {
        try requireUnchanged(file)
        journal?.enter(.load)
        defer { journal?.leave(.load) }
        guard let handle = unsafe dlopen(file.path, RTLD_NOW | RTLD_LOCAL | Int32(RTLD_NODELETE)) else {
            throw PluginError(
                .open, path: file.path, "plugin \(file.path) could not be loaded",
                hint: file.loaderHint, cause: lastLoaderError())
        }
        try requireUnchanged(file)
        let entry = try unsafe ownEntry(of: file, in: handle)
        let plugin = try unsafe table(of: file, entry: entry, services: services)
        let monitor = try unsafe interface(
            kit_monitor_v1.self, KIT_MONITOR_ID, kind: .monitor, of: file, plugin: plugin)
        if let monitor = unsafe monitor, unsafe monitor.pointee.on_events == nil {
            throw incomplete(file, "\(KIT_MONITOR_ID) has no on_events")
        }
        let lifecycle = try unsafe interface(
            kit_lifecycle_v1.self, KIT_LIFECYCLE_ID, kind: .lifecycle, of: file, plugin: plugin)
        if let lifecycle = unsafe lifecycle, unsafe lifecycle.pointee.decide == nil {
            throw incomplete(file, "\(KIT_LIFECYCLE_ID) has no decide")
        }
        return unsafe PluginLibrary(
            path: file.path, identity: file.identity, services: services, journal: journal, plugin: plugin,
            monitor: monitor, lifecycle: lifecycle)
    }

    private static func requireUnchanged(_ file: PluginFile) throws(PluginError) {
        guard FileIdentity(path: file.path) != file.identity else { return }
        throw PluginError(
            .open, path: file.path, "plugin \(file.path) changed between inspection and loading",
            hint: "Install plugins by renaming a finished copy into place, then start again.")
    }

    /// The entry, if it is the plugin's own and not that of a library it depends on.
    private static func ownEntry(
        of file: PluginFile, in handle: UnsafeMutableRawPointer
    ) throws(PluginError) -> kit_plugin_entry_v1_fn {
        guard let symbol = unsafe dlsym(handle, KIT_ENTRY_SYMBOL) else {
            throw PluginError(
                .symbol, path: file.path, "plugin \(file.path) does not export \(KIT_ENTRY_SYMBOL)",
                hint: "Define it with KIT_EXPORT and C linkage.", cause: lastLoaderError())
        }
        var own: UnsafeMutableRawPointer?
        var owner: UnsafeMutableRawPointer?
        var info = unsafe clinux_symbol_info()
        guard
            unsafe clinux_dlinfo(handle, Int32(CLINUX_LINK_MAP), &own) == 0,
            unsafe clinux_dladdr1(symbol, &info, &owner, Int32(CLINUX_LINK_MAP)) != 0, unsafe own != nil,
            unsafe own == owner
        else {
            let other = unsafe info.file.map { unsafe String(cString: $0) } ?? "another library"
            throw PluginError(
                .symbol, path: file.path, "\(KIT_ENTRY_SYMBOL) of plugin \(file.path) is that of \(other)",
                hint: "Define \(KIT_ENTRY_SYMBOL) in the plugin itself.")
        }
        return unsafe unsafeBitCast(symbol, to: kit_plugin_entry_v1_fn.self)
    }

    private static func table(
        of file: PluginFile, entry: kit_plugin_entry_v1_fn, services: HostServices
    ) throws(PluginError) -> UnsafePointer<kit_plugin_v1> {
        var table: UnsafePointer<kit_plugin_v1>?
        _ = services.notes.take(instance: 0)
        services.keepForever()
        let outcome = unsafe GuardedCall.run { unsafe fault_guard_entry(entry, services.pointer, &table, $0) }
        guard outcome == .returned(.ok) else {
            throw PluginError(
                .entry, path: file.path, "the entry of plugin \(file.path) \(outcome.clause)",
                hint: "Ask its author; the plugin says itself why it cannot start.",
                cause: services.notes.take(instance: 0))
        }
        guard let plugin = unsafe checked(table) else {
            throw incomplete(file, "its entry gave no table of at least \(MemoryLayout<kit_plugin_v1>.size) bytes")
        }
        guard
            unsafe plugin.pointee.create != nil, unsafe plugin.pointee.destroy != nil,
            unsafe plugin.pointee.get_interface != nil
        else { throw incomplete(file, "a function of its table is null") }
        return unsafe plugin
    }

    /// The interface for a kind; nil if the note does not name that kind.
    private static func interface<Table>(
        _ type: Table.Type, _ id: String, kind: PluginNote.Kinds, of file: PluginFile,
        plugin: UnsafePointer<kit_plugin_v1>
    ) throws(PluginError) -> UnsafePointer<Table>? {
        guard file.kinds.contains(kind) else { return nil }
        var table: UnsafeRawPointer?
        let outcome = unsafe GuardedCall.run { unsafe fault_guard_get_interface(plugin, id, &table, $0) }
        guard outcome == .returned(.ok) else { throw incomplete(file, "its get_interface \(outcome.clause)") }
        guard let checked = unsafe checked(table?.assumingMemoryBound(to: Table.self)) else {
            throw incomplete(file, "its note promises \(id), its get_interface does not give it")
        }
        return unsafe checked
    }

    /// A table that is there, aligned, and not shorter than version 1 has it. Every table begins with its size.
    private static func checked<Table>(_ table: UnsafePointer<Table>?) -> UnsafePointer<Table>? {
        guard
            let table = unsafe table,
            UInt(bitPattern: table).isMultiple(of: UInt(MemoryLayout<Table>.alignment)),
            unsafe UnsafeRawPointer(table).load(as: UInt32.self) >= MemoryLayout<Table>.size
        else { return nil }
        return unsafe table
    }

    private static func incomplete(_ file: PluginFile, _ what: String) -> PluginError {
        PluginError(
            .descriptor, path: file.path, "plugin \(file.path) breaks the plugin contract: \(what)",
            hint: "Rebuild it against the installed headers; its author finds the rule in kitshell/plugin.h.")
    }

    private static func lastLoaderError() -> String {
        unsafe dlerror().map { unsafe String(cString: $0) } ?? ""
    }
}

extension CallOutcome {
    /// What happened, as the end of a sentence whose subject is the called function.
    var clause: String {
        switch self {
        case .returned(let result): "answered \(result)"
        case .threw(let text): "threw \(text)"
        case .noSlot: "is null"
        }
    }
}
