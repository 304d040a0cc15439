// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// The commands as they are performed: one at a time, on the thread that performs the controller's commands.
extension PlayerController {
    func configureNow(_ model: PlayerModel) -> CommandResult {
        guard !state.withLock({ $0.isDestroyed }) else { return .ignored(destroyedError) }
        let source = model.videoSource
        guard source.isValid else {
            return .failed(
                PlayerError(
                    .invalidSource, "the video source '\(displayName(model))' lacks a part",
                    hint: "Give every part that its kind needs."))
        }
        endSession(with: .sourceSwitch(source: displayName(model), uniqueID: uniqueID(model))) { lease in
            state.withLock { $0.lease = nil }
            lifecycleStrategy.recyclePlayer(lease)
        }
        state.withLock { $0.model = model }
        if strategyManager.isStarted {
            strategyManager.resetNow(model)
        } else {
            strategyManager.startNow(self, model)
        }
        return openSession(model)
    }

    var isIntendedToPlay: Bool {
        let current = state.withLock { $0 }
        return !isSessionOver(current) && current.hasPlayIntent
    }

    func playNow() -> CommandResult {
        let current = state.withLock { $0 }
        guard let lease = current.lease else { return .ignored(withoutPlayer("play", current)) }
        if isSessionOver(current) { return replayNow() }
        if !current.hasPlayIntent {
            state.withLock { $0.hasPlayIntent = true }
            current.output?.post(.playIntent, position: lease.player.currentPosition)
        }
        lease.player.start()
        return .performed
    }

    func pauseNow() -> CommandResult {
        let current = state.withLock { $0 }
        guard let lease = current.lease, !isSessionOver(current) else {
            return .ignored(withoutPlayer("pause", current))
        }
        if current.hasPlayIntent {
            state.withLock { $0.hasPlayIntent = false }
            current.output?.post(.pauseIntent, position: lease.player.currentPosition)
        }
        lease.player.pause()
        return .performed
    }

    func replayNow() -> CommandResult {
        let current = state.withLock { $0 }
        guard let lease = current.lease, let model = current.model else {
            return .ignored(withoutPlayer("replay", current))
        }
        endSession(with: .sourceSwitch(source: displayName(model), uniqueID: uniqueID(model))) { $0.player.stop() }
        let output = makeOutput()
        let isMine = state.withLock { state in
            state.output = output
            return state.lease?.handle == lease.handle
        }
        guard isMine else { return .ignored(withoutPlayer("replay", current)) }
        return run(
            lease, output, model, at: environment.clock.now(), intends: true, instance: .warm,
            continuedFrom: current.output?.session)
    }

    func stopNow(_ reason: StopReason) -> CommandResult {
        let current = state.withLock { $0 }
        guard current.lease != nil, !isSessionOver(current) else { return .ignored(withoutPlayer("stop", current)) }
        endSession(with: .stop(reason)) { $0.player.stop() }
        return .performed
    }

    func destroyNow() -> CommandResult {
        let left = state.withLock { state in
            let left = state
            state = State()
            state.model = left.model
            state.idleState = .stopped
            state.isDestroyed = true
            return left
        }
        guard !left.isDestroyed else { return .ignored(destroyedError) }
        Teardown(of: self, state: left).run()
        return .performed
    }
}
