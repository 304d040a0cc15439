// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
package import PlayerRuntime
internal import Synchronization
internal import WorkerWire

/// Where one monitor instance asks for actions.
///
/// What it answers depends on the request and on what the user granted, never on time: so a worker can answer by itself, and a replay
/// answers the same. What became of a request is an event.
///
/// Thread: any.
package final class ActionPort: Sendable {
    /// Takes a request that is well formed. Must return at once.
    package typealias Perform = @Sendable (_ request: ActionRequest, _ isGranted: Bool) -> Void

    /// Requests of one session; what comes on top is refused.
    package static let maxPerSession = KITW_ACTIONS_MAX

    /// Whether the plugin asks for the capability and the user grants it.
    let isGranted: Bool
    private let instance: String
    private let perform: Perform
    /// The newest session that the instance was given events of, and its requests since.
    private let state = Mutex((session: SessionID.none, count: 0))

    package init(instance: String, isGranted: Bool, perform: @escaping Perform) {
        self.instance = instance
        self.isGranted = isGranted
        self.perform = perform
    }

    /// The instance is about to be given an event of this session.
    func note(_ session: SessionID) {
        state.withLock { state in
            if state.session != session { state = (session, 0) }
        }
    }

    /// Judges a request and hands it on, also one that is denied.
    func request(session: UInt32, sequence: UInt64, action: Int32, argument: Int64) -> KitResult {
        guard let action = ActionRequest.Action(rawValue: action) else { return .unsupported }
        guard session != 0, sequence != 0, action == .seek ? argument >= 0 : argument == 0 else { return .badArgument }
        let isWithinLimit = state.withLock { state in
            state.count += 1
            return state.count <= ActionPort.maxPerSession
        }
        guard isWithinLimit else { return .limit }
        perform(
            ActionRequest(
                instance: instance, session: SessionID(rawValue: session), trigger: sequence, action: action,
                argument: argument),
            isGranted)
        return isGranted ? .ok : .denied
    }
}
