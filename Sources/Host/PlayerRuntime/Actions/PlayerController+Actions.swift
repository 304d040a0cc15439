// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// Actions that monitoring strategies ask for.
extension PlayerController {
    /// Begins to remember the user's commands, which an action must not undo. Before the strategy that may ask gets its first event.
    package func admitActions() {
        let mark = state.withLock { state -> CommandMark? in
            guard state.commandMark == nil, !state.isDestroyed else { return nil }
            let mark = CommandMark()
            state.commandMark = mark
            return mark
        }
        if let mark { environment.dispatcher.attach(mark, stage: .state, to: id) }
    }

    /// Does what a monitoring strategy asks for, or refuses it: request and outcome are events. Returns at once.
    ///
    /// - Parameter isGranted: whether the user allows the strategy to act.
    package func act(_ request: ActionRequest, isGranted: Bool) {
        commands.performLater { [weak self] in self?.actNow(request, isGranted: isGranted) }
    }

    private func actNow(_ request: ActionRequest, isGranted: Bool) {
        // What was posted before has then been placed, the user's commands among it.
        environment.dispatcher.barrier()
        let current = state.withLock { $0 }
        // Of another session's request the open one tells.
        guard let output = current.output, !current.isDestroyed else { return }
        output.post(.actionRequested(request))
        let outcome = isGranted ? perform(request, current) : .denied
        // The outcome of a stop has come before the end of its session.
        if outcome != .done || request.action != .stop { output.post(.actionDone(request, outcome)) }
        environment.log.i(
            "PlayerController", "\(request.instance) asked to \(request.action) controller \(id.rawValue): \(outcome)")
    }

    private func perform(_ request: ActionRequest, _ current: State) -> ActionRequest.Outcome {
        guard current.output?.session == request.session, current.lease != nil, endState(current) == nil,
            current.commandMark?.isAfter(request.trigger) == false
        else { return .stale }
        let result: CommandResult
        switch request.action {
        case .pause: result = pauseNow("pause")
        case .play: result = playNow("play")
        case .seek: result = seekNow("seek", to: MediaTime(microseconds: request.argument), .exact)
        case .stop:
            current.output?.post(.actionDone(request, .done))
            result = stopNow("stop", .user)
        }
        if request.action != .stop, let error = result.error {
            environment.log.w("PlayerController", "an action of \(request.instance) failed: \(error)")
            return .failed
        }
        return .done
    }
}

extension PlayerEvent {
    static func actionRequested(_ request: ActionRequest) -> PlayerEvent {
        var event = PlayerEvent(.actionRequested)
        event.values[0] = Int64(request.action.rawValue)
        event.values[1] = request.argument
        event.values[2] = Int64(clamping: request.trigger)
        event.text = request.instance
        return event
    }

    static func actionDone(_ request: ActionRequest, _ outcome: ActionRequest.Outcome) -> PlayerEvent {
        var event = actionRequested(request)
        event.type = .actionDone
        event.values[3] = Int64(outcome.rawValue)
        return event
    }
}
