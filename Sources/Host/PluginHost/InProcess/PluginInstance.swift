// SPDX-License-Identifier: Apache-2.0

internal import FaultGuard
internal import PluginABI
internal import Sessions

/// One instance that a plugin of this process made: its pointer, the calls that make and end it, and what a failed call means.
///
/// Thread: one at a time: its lane, or whoever the caller keeps to one call at a time.
@safe
final class PluginInstance {
    let library: PluginLibrary
    let record: InstanceRecord
    let deadlines: CallDeadlines
    private let name: String
    /// What is asked for at every call, kept at hand.
    private let notes: ErrorNotes
    private let journal: JournalEntry?
    /// nil for built-ins, which nobody watches.
    private let watch: CallWatch?
    private(set) var pointer: UnsafeMutableRawPointer?
    private var exists = false

    init(
        library: PluginLibrary, name: String, record: InstanceRecord, deadlines: CallDeadlines, watch: CallWatch?
    ) {
        self.library = library
        self.name = name
        self.record = record
        self.deadlines = deadlines
        self.watch = watch
        notes = library.services.notes
        journal = library.journal
        unsafe pointer = nil
    }

    /// Makes the plugin's instance. A failure is recorded and final.
    ///
    /// - Parameter kind: `KIT_KIND_*`.
    func create(kind: Int, options: [PluginOption]) {
        let drift = library.services.driftNote
        if !drift.isEmpty { record.add(StrategyStatus.Fault(.error, during: "load", detail: drift), isFinal: false) }
        let outcome = unsafe PluginOption.withABI(kind: UInt32(kind), instanceName: name, options: options) { how in
            unsafe run("create", milliseconds: deadlines.create) { text in
                unsafe fault_guard_create(library.plugin, library.services.pointer, how, &pointer, text)
            }
        }
        exists = outcome == .ok && !record.isOver
        if !exists, !record.isOver {
            record.add(fault(.error, "create", "answered \(outcome ?? .internal)"), isFinal: true)
        }
    }

    /// Ends the plugin's instance, unless it has ended or failed for good.
    func destroy() {
        guard record.end(), exists else { return }
        exists = false
        _ = unsafe run("destroy", milliseconds: deadlines.destroy) {
            unsafe fault_guard_destroy(library.plugin, pointer, $0)
        }
    }

    /// Runs one call and records what went wrong: a negative result is a fault, an exception, `fatal` and lateness are the end.
    ///
    /// - Returns: what the plugin answered, as the host acts on it; nil if it threw or is over.
    func run(
        _ call: String, milliseconds: Int, _ body: (fault_guard_text) -> fault_guard_outcome
    ) -> KitResult? {
        // What was said in a call that went well is nobody's.
        _ = unsafe notes.take(instance: UInt(bitPattern: pointer))
        watch?.begin(call, milliseconds: milliseconds)
        let noted = journal == nil ? nil : CallJournal.Call(call)
        if let noted { journal?.enter(noted) }
        let outcome = unsafe GuardedCall.run(body)
        if let late = watch?.end() { PluginInstance.recordHang(late, of: name, library: library, in: record) }
        if watch?.isAbandoned == true { return nil }
        if let noted { journal?.leave(noted) }
        record.change { $0.calls += 1 }
        switch outcome {
        case .returned(let result):
            guard result.isFailure else { return result.meaning }
            let said = unsafe notes.take(instance: UInt(bitPattern: pointer))
            let clause = outcome.clause + (said.isEmpty ? "" : ": \(said)")
            record.add(fault(.error, call, clause), isFinal: result == .fatal || call == "create")
            return result.meaning
        case .threw, .noSlot:
            record.add(fault(.exception, call, outcome.clause), isFinal: true)
            return nil
        }
    }

    /// Records that a call did not come back in time.
    static func recordHang(_ call: String, of name: String, library: PluginLibrary, in record: InstanceRecord) {
        // It is told here; what the process dies of later is something else.
        if let noted = CallJournal.Call(call) { library.journal?.leave(noted) }
        record.add(
            StrategyStatus.Fault(
                .hang, during: call,
                detail: "\(call) of \(name) (\(library.path)) did not come back in time and is not called again. "
                    + "Run it in a worker (--isolation worker), which can be ended, or mend the plugin."),
            isFinal: true)
    }

    /// Says that it asked for an action that it may not have. Thread of what is returned: any.
    var denial: @Sendable () -> StrategyStatus.Fault {
        { [name, library] in StrategyStatus.Fault(denied: name, path: library.path) }
    }

    func fault(_ kind: StrategyStatus.Fault.Kind, _ call: String, _ clause: String) -> StrategyStatus.Fault {
        StrategyStatus.Fault(kind, during: call, detail: "\(call) of \(name) (\(library.path)) \(clause)")
    }
}

extension StrategyStatus.Fault {
    /// An instance asked for an action that its user did not grant.
    init(denied name: String, path: String) {
        self.init(
            .denied, during: "request_action",
            detail: "\(name) (\(path)) asked for an action that it was not granted, and was refused. "
                + "If it may act, name the capability in its note and grant it: --grant \(name):actions")
    }
}
