// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import Sessions

/// The state of the supervisor's thread; it is not `Sendable`, so nobody else can touch it.
final class SupervisorLoop {
    private var processes: [WorkerProcess] = []
    private let signal: EventSignal
    private var hasToldOfPoll = false
    /// Milliseconds between two looks where the kernel does not poll for this process.
    private static let lookInterval: Int32 = 10

    init(signal: EventSignal) {
        self.signal = signal
    }

    /// Adds a process and starts it.
    func start(_ process: WorkerProcess, with instance: WorkerInstance) {
        process.create(instance)
        process.start(now: RealTime.now())
        if !process.hasEnded { processes.append(process) }
    }

    /// Nil once it has ended.
    func process(_ key: UInt64) -> WorkerProcess? { processes.first { $0.key == key } }

    /// Has an instance made, or refuses it if the process has ended meanwhile.
    func create(_ instance: WorkerInstance, in process: UInt64, _ record: WorkerRecord) {
        if let process = self.process(process) {
            process.create(instance)
        } else {
            instance.add(.workerHasEnded(record.failure ?? "it was stopped."), isFinal: true)
            instance.end()
        }
    }

    /// Polls and works for ever.
    func run(takeWork: () -> [WorkerSupervisor.Work]) -> Never {
        leaveSignalsToOthers()
        var entries: [pollfd] = []
        while true {
            entries.removeAll(keepingCapacity: true)
            entries.append(pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0))
            for process in processes { entries += process.pollEntries }
            // Every one of them, whatever the others say.
            let mayWait = processes.reduce(true) { $1.fallAsleep() && $0 }
            let patience = mayWait ? milliseconds(until: processes.compactMap(\.deadline).min()) : 0
            wait(for: &entries, milliseconds: patience)
            signal.lower()
            let polled = entries.dropFirst()
            var work = takeWork()[...]
            let count = processes.count
            for (index, process) in processes.enumerated() {
                let size = polled.count / count
                process.read(polled.dropFirst(index * size).prefix(size).map { $0.revents != 0 })
            }
            while let next = work.popFirst() { next(self) }
            let now = RealTime.now()
            for process in processes { process.advance(now: now) }
            processes.removeAll(where: \.hasEnded)
        }
    }

    /// Polls. Where that is refused, as when the limit on descriptors was lowered below what is open, it looks at one after the other.
    private func wait(for entries: inout [pollfd], milliseconds: Int32) {
        if unsafe poll(&entries, nfds_t(entries.count), milliseconds) >= 0 || errno == EINTR { return }
        let failure = SystemFailure.last()
        if !hasToldOfPoll, let process = processes.first {
            hasToldOfPoll = true
            process.lines.write(
                .warn,
                "workers cannot be polled (\(failure)); they are looked at every \(SupervisorLoop.lookInterval) ms from now on. ulimit -n has to be above what is open."
            )
        }
        // The first one is that which wakes this thread.
        var patience = milliseconds < 0 ? SupervisorLoop.lookInterval : min(milliseconds, SupervisorLoop.lookInterval)
        for index in entries.indices {
            entries[index].revents = 0
            unsafe poll(&entries[index], 1, patience)
            patience = 0
        }
    }

    /// A signal meant for the process must not interrupt this thread; what a defect of this thread raises stays deadly.
    private func leaveSignalsToOthers() {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { unsafe sigdelset(&signals, fault) }
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func milliseconds(until deadline: RealTime?) -> Int32 {
        guard let deadline else { return -1 }
        let now = RealTime.now()
        guard now < deadline else { return 0 }
        return Int32(clamping: (deadline.nanoseconds - now.nanoseconds) / 1_000_000 + 1)
    }
}

extension StrategyStatus.Fault {
    /// That of an instance which was asked for when its worker was at its end.
    static func workerHasEnded(_ why: String) -> StrategyStatus.Fault {
        StrategyStatus.Fault(.error, during: "create", detail: "its worker has ended: \(why)")
    }
}
