// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Remembers when the user gave the last command: what an action was asked for before that is stale.
///
/// Thread: `receive` the dispatcher's, the rest any.
final class CommandMark: EventSink {
    private struct State {
        var last: UInt64 = 0
        /// Between the request of an action and its outcome the commands are the action's own.
        var isActing = false
    }

    private let state = Mutex(State())

    let interest = EventMask(.playIntent, .pauseIntent, .seekBegin, .rate, .actionRequested, .actionDone)

    func receive(_ events: [PlayerEvent]) {
        state.withLock { state in
            for event in events {
                switch event.type {
                case .actionRequested: state.isActing = true
                case .actionDone: state.isActing = false
                default: if !state.isActing { state.last = event.sequence }
                }
            }
        }
    }

    /// Whether the user gave a command after the event of that number.
    func isAfter(_ sequence: UInt64) -> Bool { state.withLock { $0.last > sequence } }
}
