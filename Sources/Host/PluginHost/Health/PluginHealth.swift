// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import JSONText
internal import Sessions
internal import Synchronization

/// What is remembered of one plugin file in one place with its grants: where its faults and its quarantines go.
///
/// Thread: any.
package final class PluginHealth: Sendable {
    /// Whom it is about.
    struct Subject: Sendable {
        var id: String
        var version: String
        var path: String
        var identity: FileIdentity
        var runs: StrategyStatus.Place
        var grants: PluginGrants
    }

    private struct State {
        /// Files of this run, by what they tell.
        var files: [StrategyStatus.Fault: FaultFile] = [:]
        var hasDenial = false
        var quarantined: Set<[PluginOption]> = []
        /// nil: nobody has asked; a nil in it: it cannot be told.
        var sha256: String??
    }

    /// Faults of a plugin that are told apart, at most; what comes then has no file.
    private static let mostFiles = 64
    private static let files = Atomic<Int>(0)

    let subject: Subject
    private let store: HealthStore
    /// Whether it may be quarantined from one run to the next.
    private let isRemembered: Bool
    private let state = Mutex(State())

    init(_ subject: Subject, store: HealthStore, isRemembered: Bool) {
        self.subject = subject
        self.store = store
        self.isRemembered = isRemembered
    }

    /// Waits until what was to be written has been, real time.
    package func waitUntilWritten(withinMilliseconds milliseconds: Int) {
        store.waitUntilWritten(withinMilliseconds: milliseconds)
    }

    /// Where calls into the plugin are noted, if it runs in this process and is not one of the product's.
    func makeJournalEntry() -> JournalEntry? {
        store.journal.entry(id: subject.id, path: subject.path)
    }

    // MARK: Faults

    /// The file that tells of a fault; it is written soon.
    ///
    /// The same fault again has the same file, unless it ended the worker. Of what the sandbox denies the first is told, and of a refusal
    /// none: there the detail says all.
    ///
    /// - Parameters:
    ///   - output: the last of what the plugin printed.
    ///   - isEnd: it ended the worker.
    /// - Returns: nil if there is none.
    func file(of fault: StrategyStatus.Fault, output: String = "", isEnd: Bool = false) -> FaultFile? {
        guard fault.kind != .refused else { return nil }
        let (file, isNew) = state.withLock { state -> (FaultFile?, Bool) in
            if !isEnd, let known = state.files[fault] { return (known, false) }
            if !isEnd, state.files.count >= PluginHealth.mostFiles { return (nil, false) }
            if fault.kind == .denied, !isEnd {
                guard !state.hasDenial else { return (nil, false) }
                state.hasDenial = true
            }
            let file = FaultFile()
            if !isEnd { state.files[fault] = file }
            return (file, true)
        }
        guard isNew, let file else { return file }
        let (moment, number) = (store.now(), PluginHealth.files.wrappingAdd(1, ordering: .relaxed).newValue)
        let isTaken = store.writer.run { [self] in
            let content = FaultFile.Content(
                fault: fault, moment: moment, subject: subject, sha256: sha256(), output: output,
                hostVersion: store.hostVersion)
            file.write(content, to: store.directory, number: number, process: getpid())
        }
        return isTaken ? file : nil
    }

    // MARK: Quarantine

    /// It fell once too often: it is not run again for a while, in this config. Nothing happens if it was named explicitly.
    func quarantine(for fault: StrategyStatus.Fault, options: [PluginOption], file: FaultFile?) {
        guard isRemembered, fault.isFall, state.withLock({ $0.quarantined.insert(options).inserted }) else { return }
        let since = store.now()
        store.writer.run { [self] in
            guard let sha256 = sha256() else { return }
            var fault = fault
            fault.report = file?.path
            fault.detail = FaultFile.withoutSecrets(fault.detail)
            store.keep(
                StoredQuarantine(
                    key: key(of: options, sha256), id: subject.id, version: subject.version, path: subject.path,
                    sha256: sha256, since: since, fault: fault))
        }
    }

    /// Why it is not to be run with these options; nil if it may be. Reads the whole file if the plugin has a quarantine at all.
    package func quarantine(of options: [PluginOption]) -> StoredQuarantine? {
        guard isRemembered else { return nil }
        let candidates = store.quarantines(of: subject.id)
        guard !candidates.isEmpty, let sha256 = sha256() else { return nil }
        let key = key(of: options, sha256)
        return candidates.first { $0.key == key && $0.sha256 == sha256 }
    }

    /// Of the content and the config, so that a change of either ends it. No option can be read from it.
    private func key(of options: [PluginOption], _ sha256: String) -> String {
        let grants = subject.grants
        let config: JSONValue = [
            "sha256": .string(sha256), "runs": .string(subject.runs.rawValue),
            "capabilities": .int(Int64(grants.capabilities.rawValue)), "open": .bool(grants.isOpen),
            "read": .array(grants.readablePaths.sorted().map { .string($0) }),
            "write": .array(grants.writablePaths.sorted().map { .string($0) }),
            "options": .array(
                options.sorted { $0.key < $1.key }.map { .array([.string($0.key), .string("\($0.value)")]) }),
        ]
        var hash = SHA256()
        hash.update(Array(JSONWriter.text(config).utf8))
        return hash.finish()
    }

    /// The hash of the file; nil if it is not the one that was inspected any more.
    private func sha256() -> String? {
        if let known = state.withLock({ $0.sha256 }) { return known }
        var digest: String?
        if let file = try? CheckedFile(path: subject.path), file.status.identity == subject.identity {
            digest = try? SHA256.digest(of: file)
        }
        return state.withLock { state in
            state.sha256 = .some(digest)
            return digest
        }
    }
}

extension StrategyStatus.Fault {
    /// Whether the plugin was brought down, by itself or by its host. One that failed politely is asked again in the next run.
    fileprivate var isFall: Bool {
        switch kind {
        case .crash, .hang, .exit, .exception, .protocol: true
        case .denied: signal != nil
        case .error, .invalidDecision, .refused: false
        }
    }
}
