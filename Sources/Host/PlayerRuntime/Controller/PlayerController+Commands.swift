// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// The commands as they are performed: one at a time, on the thread that performs the controller's commands.
extension PlayerController {
    func configureNow(_ model: PlayerModel) -> CommandResult {
        let current = state.withLock { $0 }
        guard !current.isDestroyed else { return .ignored(refusal(of: "configure", current)) }
        guard model.videoSource.isValid else {
            return .ignored(invalidSource(of: "configure", model))
        }
        leaveSource(for: PlayedModel(model))
        return openSession(model)
    }

    func announceNow(_ command: String, _ upcoming: [PlayerModel], behind: [PlayerModel]) -> CommandResult {
        let current = state.withLock { $0 }
        guard !current.isDestroyed else { return .ignored(refusal(of: command, current)) }
        if let model = (upcoming + behind).first(where: { !$0.videoSource.isValid }) {
            return .ignored(invalidSource(of: command, model))
        }
        var models: [String: PlayerModel] = [:]
        var items: [UpcomingItem] = []
        for (side, list) in [(1, upcoming), (-1, behind)] {
            for (place, model) in zip(1..., list) {
                let id = uniqueID(model)
                if models[id] == nil { models[id] = model }
                items.append(UpcomingItem(uniqueID: id, distance: Int32(clamping: side * place)))
            }
        }
        let plan = lifecycleStrategy.announce(upcoming: items) { planned in
            // What comes before that is nothing that a player could be told to do.
            guard planned.stage >= .prepared, let model = models[planned.uniqueID] else { return nil }
            if let running = planned.running, running.isRunning, running.serves(model) { return running }
            return PlayerPreparation(
                of: model, source: (displayName(model), planned.uniqueID), in: planned.player, environment: environment)
        }
        return plan.error.map { .failed($0) } ?? .performed
    }

    private func invalidSource(of command: String, _ model: PlayerModel) -> PlayerError {
        PlayerError(
            .invalidSource, "\(command) did nothing: the video source '\(displayName(model))' lacks a part",
            hint: "Give every part that its kind needs.")
    }

    var isIntendedToPlay: Bool {
        let current = state.withLock { $0 }
        return endState(current) == nil && current.hasPlayIntent
    }

    func playNow(_ command: String) -> CommandResult {
        let current = state.withLock { $0 }
        if current.lease == nil, let lent = current.lent { return reclaimNow(command, lent) }
        guard let lease = current.lease else { return .ignored(refusal(of: command, current)) }
        if endState(current) != nil { return replayNow(command) }
        if !current.hasPlayIntent {
            state.withLock { $0.hasPlayIntent = true }
            current.output?.post(.playIntent, position: lease.player.currentPosition)
        }
        if !current.isHeld { lease.player.start() }
        return .performed
    }

    func pauseNow(_ command: String) -> CommandResult {
        let current = state.withLock { $0 }
        guard let lease = current.lease, endState(current) == nil else {
            return .ignored(refusal(of: command, current))
        }
        if current.hasPlayIntent {
            state.withLock { $0.hasPlayIntent = false }
            current.output?.post(.pauseIntent, position: lease.player.currentPosition)
        }
        if !current.isHeld { lease.player.pause() }
        return .performed
    }

    /// Plays the source again as a new session on the same player.
    ///
    /// - Parameters:
    ///   - seek: where to begin; nil: where the model says.
    ///   - intends: whether it is to play.
    func replayNow(_ command: String, seek: SessionOpening.Seek? = nil, intends: Bool = true) -> CommandResult {
        let current = state.withLock { $0 }
        guard let lease = current.lease, let model = current.model?.value else {
            return .ignored(refusal(of: command, current))
        }
        endSession(with: .sourceSwitch(source: displayName(model), uniqueID: uniqueID(model))) { stop($0) }
        let output = makeOutput()
        let left = state.withLock { state in
            state.output = output
            return state
        }
        // It may have been taken away while it was stopped.
        guard left.lease?.handle == lease.handle else { return .ignored(refusal(of: command, left)) }
        return run(
            lease, output,
            SessionOpening(
                model: model, asked: environment.clock.now(), intends: intends, instance: .warm,
                continuedFrom: current.output?.session, seek: seek))
    }

    func seekNow(_ command: String, to target: MediaTime, _ mode: SeekMode) -> CommandResult {
        let current = state.withLock { $0 }
        guard let lease = current.lease else { return .ignored(refusal(of: command, current)) }
        switch endState(current) {
        case nil:
            lease.player.seek(to: target, mode: mode)
            return .performed
        case .error?: return .ignored(refusal(of: command, current))
        default:
            return replayNow(
                command, seek: SessionOpening.Seek(target: target, mode: mode), intends: current.hasPlayIntent)
        }
    }

    func stopNow(_ command: String, _ reason: StopReason) -> CommandResult {
        let current = state.withLock { $0 }
        guard current.lease != nil, endState(current) == nil else { return .ignored(refusal(of: command, current)) }
        endSession(with: .stop(reason)) { stop($0) }
        return .performed
    }

    private func stop(_ lease: PlayerLease) -> Bool {
        lease.player.stop()
        return false
    }

    func destroyNow() -> CommandResult {
        let left = state.withLock { state in
            let left = state
            state = State()
            state.model = left.model
            state.settings = left.settings
            state.managesLifecycle = left.managesLifecycle
            state.idleState = .stopped
            state.isDestroyed = true
            return left
        }
        guard !left.isDestroyed else { return .ignored(refusal(of: "destroy", left)) }
        Teardown(of: self, state: left).run()
        return .performed
    }
}
