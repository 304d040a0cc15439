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
                uniqueID: uniqueID(model), sourceKind: PoolRequest.SourceKind(model.videoSource),
                sourceRevision: model.videoSource.sourceRevision
            ) { [weak self] in self?.follow($0, of: output.session) }
        } catch {
            request(
                output, player: nil, SessionOpening(model: model, asked: asked, intends: false, instance: .unknown))
            return fail(output, error)
        }
        state.withLock { state in
            if state.leasedFor == output.session { state.lease = lease }
        }
        var opening = SessionOpening(
            model: model, asked: asked, intends: model.autoPlay, instance: lease.origin == .created ? .cold : .warm)
        if let preparation = lease.preparation {
            if preparation.serves(model), preparation.isRunning {
                opening.preparation = preparation
                opening.continuedFrom = preparation.session
                if lease.stage == .firstFrame { opening.instance = .preRendered }
            } else {
                let isCancelled: Void? = drive(lease) { _ in preparation.cancel() }
                if isCancelled == nil { preparation.abandon() }
            }
        }
        opening.refresh(from: lease)
        return run(lease, output, opening)
    }

    /// Opens the session of `output` on a player: request, play intent, then the player's own events.
    func run(_ lease: PlayerLease, _ output: EventOutput, _ opening: SessionOpening) -> CommandResult {
        guard let current = open(output, on: lease, opening) else {
            opening.preparation?.abandon()
            return fail(output, lostPlayer(of: opening.model))
        }
        let given = drive(lease) { give(opening, to: $0, output, current.settings) }
        switch given {
        case .success(true)?: break
        case .success(false)?: opening.model.onPlayerConfig?(lease.player)
        case .failure(let error)?:
            let result = fail(output, error)
            lifecycleStrategy.recyclePlayer(lease, force: true)
            return result
        case nil: opening.preparation?.abandon()
        }
        let isDone: Void? = drive(lease) { player in
            if case .success(false)? = given {
                player.prepare()
                if let seek = opening.seek { player.seek(to: seek.target, mode: seek.mode) }
            }
            if opening.intends, !current.isHeld { player.start() }
        }
        // Whoever took it has ended the session.
        return isDone == nil ? .failed(lostPlayer(of: opening.model)) : .performed
    }

    /// Gives a player its source, unless it was made ready.
    ///
    /// - Returns: whether it was.
    private func give(
        _ opening: SessionOpening, to player: any MediaPlayer, _ output: EventOutput, _ settings: PlaybackSettings
    ) -> Result<Bool, PlayerError> {
        let isReady = opening.preparation?.handOver(to: output) ?? false
        if !isReady {
            do {
                try player.setDataSource(opening.playedModel, output: output)
            } catch {
                return .failure(error)
            }
        }
        player.apply(settings)
        return .success(isReady)
    }

    /// Posts request and play intent, and makes the session the controller's.
    ///
    /// - Returns: nil if the player was taken away.
    func open(_ output: EventOutput, on lease: PlayerLease, _ opening: SessionOpening) -> State? {
        request(output, player: lease.player.playerID, opening)
        if opening.intends { output.post(.playIntent, at: opening.asked) }
        // From here on it is `lose` that ends the session when the player is taken away, so its request must come first.
        return state.withLock { state -> State? in
            guard state.lease?.handle == lease.handle else { return nil }
            state.isOver = false
            state.hasPlayIntent = opening.intends
            return state
        }
    }

    func lostPlayer(of model: PlayerModel) -> PlayerError {
        PlayerError(
            .staleLease, "the player for '\(displayName(model))' was taken away before it could be used",
            hint: "Configure again, or give the pool more room.")
    }

    private func request(_ output: EventOutput, player: Int64?, _ opening: SessionOpening) {
        output.post(
            .request(
                source: displayName(opening.model), uniqueID: uniqueID(opening.model), player: player,
                instance: opening.instance, continuedFrom: opening.continuedFrom),
            at: opening.asked)
    }

    /// Ends a session that was requested and cannot be played.
    func fail(_ output: EventOutput, _ error: PlayerError) -> CommandResult {
        output.post(.error(error, isFatal: true))
        state.withLock { state in
            guard state.output === output else { return }
            state.lease = nil
            state.isOver = true
            state.idleState = .error
        }
        return .failed(error)
    }

    /// Leaves what is played for another source: gives the player back, and tells the strategies.
    func leaveSource(for played: PlayedModel) {
        Farewell.settle(state.withLock { $0.farewell.take() })
        let model = played.value
        endSession(with: .sourceSwitch(source: displayName(model), uniqueID: uniqueID(model))) { giveBack($0) }
        let lent = state.withLock { state in
            state.model = played
            return state.lent.take()
        }
        if let lent { lifecycleStrategy.recyclePlayer(lent) }
        if strategyManager.isStarted {
            strategyManager.resetNow(played)
        } else {
            strategyManager.startNow(self, played)
        }
    }

    /// Gives the player back to whoever lent it, or to the pool.
    ///
    /// - Returns: whether whoever lent it goes on.
    func giveBack(_ lease: PlayerLease) -> Bool {
        state.withLock { $0.lease = nil }
        return lifecycleStrategy.recyclePlayer(lease) == .popped
    }

    /// Ends the open session, if there is one, with `event`, and lets `leavePlayer` bring the player to rest or give it back.
    ///
    /// The event comes after what the player posts at its stop, so that its last counts are in the session. A session that another one
    /// went on from has been told its end by the player.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func endSession(with event: PlayerEvent, _ leavePlayer: (PlayerLease) -> Bool) -> Bool {
        let current = state.withLock { $0 }
        let seemsOpen = endState(current) == nil
        let isOpen = state.withLock { state in
            // Whoever took the player away just now has ended it.
            defer { state.isOver = true }
            return seemsOpen && !state.isOver
        }
        let lease = current.lease
        let position = lease?.player.currentPosition
        current.output?.end()
        // Looked out for before: it may come at once.
        let farewell = lease?.origin == .borrowed ? Farewell(to: id, from: environment.dispatcher) : nil
        let goesOn = lease.map(leavePlayer) ?? false
        let isTold = farewell?.isTold(within: isOpen && goesOn ? Farewell.limitMilliseconds : 0) ?? false
        if isOpen, !isTold { current.output?.post(event, position: position) }
        return isOpen
    }

    /// The lifecycle strategy took the player away. Thread: whoever took it; the player has not been stopped yet.
    func lose(_ session: SessionID, _ end: LeaseChange) {
        let (output, player) = state.withLock { state -> (EventOutput?, (any MediaPlayer)?) in
            guard state.leasedFor == session else { return (nil, nil) }
            let isOpen = !state.isOver
            let player = state.lease?.player
            state.leasedFor = nil
            state.lease = nil
            state.lent = nil
            state.isOver = true
            state.idleState = .stopped
            return (isOpen ? state.output : nil, player)
        }
        output?.end()
        // What is taken back goes on: the player tells this session its end when the lender's begins, if it has it already.
        if end == .reclaimed, player?.session == session { return }
        output?.post(end == .evicted ? .evict : .takenOver)
    }

    /// What the last session ended in, by a command or by the player itself, whose state may lag behind its last event; nil while it
    /// goes on.
    func endState(_ current: State) -> PlayerState? {
        let delivered = stateStore.snapshot
        let told = delivered.session == current.output?.session ? delivered.playState : nil
        for state in [current.lease?.player.state, told] {
            if let state, [.completed, .stopped, .error].contains(state) { return state }
        }
        return current.isOver ? current.idleState : nil
    }

    func makeOutput() -> EventOutput {
        EventOutput(
            controller: id, session: environment.numbering.next(), clock: environment.clock, queue: environment.queue)
    }

    // MARK: Names

    func displayName(_ model: PlayerModel) -> String {
        model.videoSource.displayName(ignoring: environment.volatileQuery)
    }

    func uniqueID(_ model: PlayerModel) -> String {
        model.videoSource.uniqueID(ignoring: environment.volatileQuery)
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
