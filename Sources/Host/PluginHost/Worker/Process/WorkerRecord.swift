// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// What the supervisor tells everybody of the worker processes of one plugin.
///
/// Thread: any.
final class WorkerRecord: Sendable {
    private struct State {
        var interest = EventMask.all
        var sandbox: Sandbox?
        var failure: String?
        var running = 0
    }

    private let state = Mutex(State())
    private let changed = Gate()

    /// Which events the plugin wants; all until it has been loaded.
    var interest: EventMask {
        get { state.withLock { $0.interest } }
        set { state.withLock { $0.interest = newValue } }
    }

    /// How far it is kept in; nil until it was loaded.
    var sandbox: Sandbox? {
        get { state.withLock { $0.sandbox } }
        set { state.withLock { $0.sandbox = newValue } }
    }

    /// Why the plugin is not run any more; nil while it is.
    var failure: String? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// A process was asked for.
    func processBegins() {
        state.withLock { $0.running += 1 }
    }

    /// A process ended and was reaped.
    func processEnded() {
        state.withLock { $0.running -= 1 }
        changed.signal()
    }

    /// - Returns: whether no process is left.
    func waitUntilEnded(milliseconds: Int) -> Bool {
        changed.wait(milliseconds: milliseconds) { self.state.withLock { $0.running == 0 } }
    }
}
