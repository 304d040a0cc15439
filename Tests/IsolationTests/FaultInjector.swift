// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestSupport

/// Brings down workers of this process from outside, one after the other, in all the ways in which a signal can.
///
/// Thread: `run` one of its own; the rest any.
final class FaultInjector: Sendable {
    private static let signals = [SIGSEGV, SIGKILL, SIGABRT, SIGSTOP, SIGFPE, SIGBUS, SIGILL]

    private let isOver = Atomic(false)
    private let count = Atomic(0)
    private let interval: UInt32
    /// Plugin files whose workers are brought down.
    private let victims: [String]

    init(victims: [String], milliseconds: Int) {
        self.victims = victims
        interval = UInt32(milliseconds) * 1000
    }

    /// How often a worker was hit so far.
    var hits: Int { count.load(ordering: .relaxed) }

    func stop() { isOver.store(true, ordering: .relaxed) }

    /// Goes on until it is stopped. A victim that is not there at its turn, since it is being started, is passed over for the next one.
    func run() {
        var turn = 0
        while !isOver.load(ordering: .relaxed) {
            usleep(interval)
            let workers = FaultInjector.workers()
            for _ in victims {
                let victim = victims[turn % victims.count]
                turn += 1
                guard let worker = workers[victim] else { continue }
                kill(worker, FaultInjector.signals[turn % FaultInjector.signals.count])
                count.wrappingAdd(1, ordering: .relaxed)
                break
            }
        }
        // Whoever was stopped is not to be waited for.
        for worker in FaultInjector.workers().values { kill(worker, SIGCONT) }
    }

    /// The children of this process that have a plugin mapped, by its file.
    private static func workers() -> [String: pid_t] {
        var found: [String: pid_t] = [:]
        for child in ChildProcess.children(of: getpid()) {
            for file in ChildProcess.mappedFiles(of: child) where file.contains("/witness-") { found[file] = child }
        }
        return found
    }
}
