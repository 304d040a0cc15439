// SPDX-License-Identifier: Apache-2.0

internal import WorkerWire

/// Where a plugin crashed, as its worker wrote it down. All of it is what the worker says: good for people, not for decisions.
struct CrashSite {
    let signal: Int32
    /// What could not be reached, or 0 where that means nothing.
    let address: UInt64
    private let place: UInt64
    private let base: UInt64

    /// - Returns: nil if nothing was written down.
    init?(_ memory: SharedMemory) {
        let words = unsafe memory.worker
        signal = unsafe Int32(truncatingIfNeeded: kitw_load32(&words.pointee.fault_signal))
        address = unsafe kitw_load64(&words.pointee.fault_address)
        place = unsafe kitw_load64(&words.pointee.fault_place)
        base = unsafe kitw_load64(&words.pointee.plugin_base)
        if signal == 0 { return nil }
    }

    /// The function of the plugin, as in `on_events+0x1c`; nil if it was elsewhere, as in the C library. Reads the file.
    func function(of file: PluginFile) -> String? {
        base == 0 || place < base ? nil : FunctionName.find(place - base, in: file.path, identity: file.identity)
    }
}
