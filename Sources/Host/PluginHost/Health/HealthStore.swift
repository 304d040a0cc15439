// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import MediaCore

/// What is remembered of plugins between runs: quarantines, and a file about each fault.
///
/// A quarantine is a file of its own, named after what it is of, so that processes that run at once never overwrite what another one
/// knows. Reading is done where it is asked for; writing on a thread of the store, since a disk may be slow.
///
/// Thread: any.
package final class HealthStore: Sendable {
    /// Quarantines that are looked at, and kept, at most.
    private static let mostQuarantines = 256

    package let directory: StateDirectory
    let writer = HealthWriter()
    let now: @Sendable () -> WallTime
    /// As files about faults have it.
    let hostVersion: String
    /// Calls into strangers' plugins of this process.
    let journal: CallJournal
    private let log: LogHub

    /// - Parameters:
    ///   - path: of the state directory, which need not exist.
    ///   - log: hears what is wrong with it.
    package init(
        path: String, hostVersion: String, log: LogHub, now: @escaping @Sendable () -> WallTime = WallTime.now
    ) {
        directory = StateDirectory(path: path) { log.w("StateDirectory", $0) }
        journal = CallJournal(directory)
        self.hostVersion = hostVersion
        self.log = log
        self.now = now
    }

    /// Waits until everything that was to be written has been, real time.
    ///
    /// - Returns: false if the time was over before.
    @discardableResult
    package func waitUntilWritten(withinMilliseconds milliseconds: Int) -> Bool {
        writer.waitUntilIdle(milliseconds: milliseconds)
    }

    /// Ends it with the process: what is to be written is, and the journal goes, since nothing crashed.
    package func end() {
        waitUntilWritten(withinMilliseconds: 2000)
        journal.remove()
    }

    /// Says in which plugin an earlier process ended that ran it in its own process, once.
    package func tellLastWords() {
        // Where nobody would hear it, it waits for one who does.
        guard log.isEnabled(.warn) else { return }
        for place in CallJournal.takeLastWords(from: directory) {
            log.w(
                "CallJournal",
                "the last run ended inside \(place); run it in a worker: leave out --isolation in-process")
        }
    }

    // MARK: Quarantines

    /// All that hold now, by id and then by time.
    package func quarantines() -> [StoredQuarantine] {
        let now = now()
        return readQuarantines().filter { $0.isInForce(at: now) }.sorted {
            $0.id == $1.id ? $0.since < $1.since : $0.id < $1.id
        }
    }

    /// Those of one plugin.
    func quarantines(of id: String) -> [StoredQuarantine] {
        quarantines().filter { $0.id == id }
    }

    /// Lifts those of one plugin. A run that goes on does not see it; the next one does.
    ///
    /// - Returns: what was lifted.
    package func lift(_ id: String) -> [StoredQuarantine] {
        quarantines(of: id).filter { directory.remove($0.key, from: .quarantine) }
    }

    func keep(_ quarantine: StoredQuarantine) {
        let text = JSONWriter.text(quarantine.json, style: .pretty) + "\n"
        guard directory.write(Array(text.utf8), to: quarantine.key, in: .quarantine) else { return }
        let now = now()
        var kept = readQuarantines().sorted { $0.since < $1.since }
        for old in kept where !old.isInForce(at: now) { directory.remove(old.key, from: .quarantine) }
        kept.removeAll { !$0.isInForce(at: now) }
        for old in kept.dropLast(HealthStore.mostQuarantines) { directory.remove(old.key, from: .quarantine) }
    }

    private func readQuarantines() -> [StoredQuarantine] {
        directory.names(in: .quarantine).prefix(2 * HealthStore.mostQuarantines).compactMap { name in
            guard let bytes = directory.read(name, in: .quarantine, atMost: StoredQuarantine.largestFile) else {
                return nil
            }
            guard let json = try? JSONReader(maximumDepth: 4).read(bytes),
                let quarantine = StoredQuarantine(json, key: name)
            else {
                // It would be found again at every start.
                if directory.remove(name, from: .quarantine) {
                    log.w("HealthStore", "\(directory.path)/quarantine/\(name) is no quarantine; it is removed")
                }
                return nil
            }
            return quarantine
        }
    }
}
