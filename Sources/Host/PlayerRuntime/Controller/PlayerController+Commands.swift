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
        guard current.lease != nil else { return .ignored(refusal(of: command, current)) }
        if endState(current) != nil { return replayNow(command) }
        return wish(command, toPlay: true, current)
    }

    func pauseNow(_ command: String) -> CommandResult {
        let current = state.withLock { $0 }
        guard current.lease != nil, endState(current) == nil else {
            return .ignored(refusal(of: command, current))
        }
        return wish(command, toPlay: false, current)
    }

    private func wish(_ command: String, toPlay: Bool, _ current: State) -> CommandResult {
        let isDone: Void? = drive(current) { player in
            if current.hasPlayIntent != toPlay {
                state.withLock { $0.hasPlayIntent = toPlay }
                current.output?.post(toPlay ? .playIntent : .pauseIntent, position: player.currentPosition)
            }
            guard !current.isHeld else { return }
            if toPlay { player.start() } else { player.pause() }
        }
        return isDone == nil ? .ignored(refusal(ofLost: command, current)) : .performed
    }

    /// Gives a command to the player, which nobody else gets meanwhile.
    ///
    /// - Returns: nil, and nothing was done, if it has been taken away, which the controller may not have been told yet, or if there is none.
    @discardableResult
    func drive<Result>(_ current: State, _ command: (any MediaPlayer) -> Result) -> Result? {
        current.lease.flatMap { drive($0, command) }
    }

    /// The same with a lease.
    @discardableResult
    func drive<Result>(_ lease: PlayerLease, _ command: (any MediaPlayer) -> Result) -> Result? {
        lifecycleStrategy.whileDriving(lease) { command(lease.player) }
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
        guard current.lease != nil else { return .ignored(refusal(of: command, current)) }
        switch endState(current) {
        case nil:
            let isDone: Void? = drive(current) { $0.seek(to: target, mode: mode) }
            return isDone == nil ? .ignored(refusal(ofLost: command, current)) : .performed
        case .error?: return .ignored(refusal(of: command, current))
        default:
            return replayNow(
                command, seek: SessionOpening.Seek(target: target, mode: mode), intends: current.hasPlayIntent)
        }
    }

    func stopNow(_ command: String, _ reason: StopReason) -> CommandResult {
        let current = state.withLock { $0 }
        guard current.lease != nil, endState(current) == nil else { return .ignored(refusal(of: command, current)) }
        let wasOpen = endSession(with: .stop(reason)) { stop($0) }
        return wasOpen ? .performed : .ignored(refusal(ofLost: command, current))
    }

    private func stop(_ lease: PlayerLease) -> Bool {
        drive(lease) { $0.stop() }
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
