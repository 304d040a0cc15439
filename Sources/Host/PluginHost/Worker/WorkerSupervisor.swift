// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// The one thread on which every worker is started, spoken to, watched and reaped. It never ends: a worker dies with the
/// thread that spawned it.
///
/// Thread: any.
final class WorkerSupervisor: Sendable {
    static let shared = WorkerSupervisor()

    typealias Work = @Sendable (SupervisorLoop) -> Void

    private let inbox = Mutex<[Work]>([])
    private let signal = EventSignal()

    private init() {
        PlainThread.start("kit-workers") { [self] in
            SupervisorLoop(signal: signal).run {
                self.inbox.withLock { work in
                    defer { work = [] }
                    return work
                }
            }
        }
    }

    /// Has something done on the supervisor's thread, in the order of the calls.
    func run(_ work: @escaping Work) {
        inbox.withLock { $0.append(work) }
        signal.raise()
    }

    /// Makes the supervisor look for pending events.
    func wake() {
        signal.raise()
    }
}
