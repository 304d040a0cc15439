// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions
internal import Synchronization

/// How sessions open and end. Thread: as commands are performed, except `lose`.
extension PlayerController {
    /// Gets a player and plays `model` on it.
    func openSession(_ model: PlayerModel) -> CommandResult {
        let output = makeOutput()
        state.withLock { state in
            state.output = output
            state.leasedFor = output.session
        }
        let asked = environment.clock.now()
        let lease: PlayerLease
        do {
            lease = try lifecycleStrategy.acquirePlayer(
                uniqueID: uniqueID(model), sourceKind: PoolRequest.SourceKind(model.videoSource)
            ) { [weak self] reason in self?.lose(output.session, reason) }
        } catch {
            request(output, model, at: asked, player: nil, instance: .unknown, continuedFrom: nil)
            return fail(output, error)
        }
        state.withLock { state in
            if state.leasedFor == output.session { state.lease = lease }
        }
        return run(
            lease, output, model, at: asked, intends: model.autoPlay,
            instance: lease.origin == .created ? .cold : .warm, continuedFrom: nil)
    }

    /// Opens the session of `output` on a player: request, play intent, then the player's own events.
    func run(
        _ lease: PlayerLease, _ output: EventOutput, _ model: PlayerModel, at asked: EventTime, intends: Bool,
        instance: PlayerInstanceKind, continuedFrom: SessionID?
    ) -> CommandResult {
        request(
            output, model, at: asked, player: lease.player.playerID, instance: instance, continuedFrom: continuedFrom)
        if intends { output.post(.playIntent, at: asked) }
        // From here on it is `lose` that ends the session when the player is taken away, so its request must come first.
        let isMine = state.withLock { state in
            guard state.lease?.handle == lease.handle else { return false }
            state.isOver = false
            state.hasPlayIntent = intends
            return true
        }
        guard isMine else {
            return fail(
                output,
                PlayerError(
                    .staleLease, "the player for '\(displayName(model))' was taken away before it could be used",
                    hint: "Configure again, or give the pool more room."))
        }
        do {
            try lease.player.setDataSource(model, output: output)
        } catch {
            let result = fail(output, error)
            lifecycleStrategy.recyclePlayer(lease, force: true)
            return result
        }
        lease.player.prepare()
        if intends { lease.player.start() }
        return .performed
    }

    private func request(
        _ output: EventOutput, _ model: PlayerModel, at asked: EventTime, player: Int64?, instance: PlayerInstanceKind,
        continuedFrom: SessionID?
    ) {
        output.post(
            .request(
                source: displayName(model), uniqueID: uniqueID(model), player: player, instance: instance,
                continuedFrom: continuedFrom),
            at: asked)
    }

    /// Ends a session that was requested and cannot be played.
    private func fail(_ output: EventOutput, _ error: PlayerError) -> CommandResult {
        output.post(.error(error, isFatal: true))
        state.withLock { state in
            guard state.output === output else { return }
            state.lease = nil
            state.isOver = true
            state.hasPlayIntent = false
            state.idleState = .error
        }
        return .failed(error)
    }

    /// Ends the open session, if there is one, with `event`, and lets `stopPlayer` bring the player to rest.
    ///
    /// The event comes after what the player posts at its stop, so that its last counts are in the session.
    func endSession(with event: PlayerEvent, _ stopPlayer: (PlayerLease) -> Void) {
        let current = state.withLock { $0 }
        let output = isSessionOver(current) ? nil : current.output
        state.withLock { state in
            state.isOver = true
            state.hasPlayIntent = false
        }
        let lease = current.lease
        let position = lease?.player.currentPosition
        output?.end()
        if let lease { stopPlayer(lease) }
        output?.post(event, position: position)
    }

    /// The lifecycle strategy took the player away. Thread: whoever took it; the player has not been stopped yet.
    func lose(_ session: SessionID, _ reason: LeaseRevocation) {
        let output = state.withLock { state -> EventOutput? in
            guard state.leasedFor == session else { return nil }
            let isOpen = !state.isOver
            state.leasedFor = nil
            state.lease = nil
            state.isOver = true
            state.hasPlayIntent = false
            state.idleState = .stopped
            return isOpen ? state.output : nil
        }
        output?.end()
        output?.post(reason == .evicted ? .evict : .takenOver)
    }

    /// Whether the last session ended: by a command, or by the player itself, whose state may lag behind its last event.
    func isSessionOver(_ current: State) -> Bool {
        if current.isOver { return true }
        let delivered = stateStore.snapshot
        return [.completed, .error].contains(current.lease?.player.state)
            || (delivered.session == current.output?.session && [.completed, .error].contains(delivered.playState))
    }

    func makeOutput() -> EventOutput {
        EventOutput(
            controller: id, session: environment.numbering.next(), clock: environment.clock, queue: environment.queue)
    }

    // MARK: Names and errors

    func displayName(_ model: PlayerModel) -> String {
        model.videoSource.displayName(ignoring: environment.volatileQuery)
    }

    func uniqueID(_ model: PlayerModel) -> String {
        model.videoSource.uniqueID(ignoring: environment.volatileQuery)
    }

    var destroyedError: PlayerError {
        PlayerError(
            .illegalState, "controller \(id.rawValue) was destroyed", hint: "Make a new controller.")
    }

    func withoutPlayer(_ command: String, _ state: State) -> PlayerError {
        if state.isDestroyed { return destroyedError }
        guard state.lease == nil else {
            return PlayerError(.illegalState, "\(command) did nothing: nothing plays", hint: "Call play() first.")
        }
        return PlayerError(
            .noPlayer, "\(command) did nothing: controller \(id.rawValue) has no player",
            hint: "Call configure(_:) first.")
    }
}

extension PoolRequest.SourceKind {
    init(_ source: VideoSource) {
        switch source.kind {
        case .vidAuth, .vidSts: self = .vid
        case .url: self = source.filePath == nil ? .url : .file
        }
    }
}
