// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// How a player that goes on changes hands between controllers.
extension PlayerController {
    /// Goes on with what another controller plays, on the same player, under the settings of this one: nothing is opened or decoded again, and
    /// what is paused stays paused. The other keeps its settings and where it was; it has no player until `returnPlayer`, or until it
    /// takes it back by `play`.
    ///
    /// What this controller played before ends as with `configure`. What has ended or failed is borrowed as it is: `play` starts it anew.
    ///
    /// - Parameter other: shares the lifecycle strategy, and has a player.
    @discardableResult
    public func borrow(from other: PlayerController) -> CommandResult {
        perform("borrow") { $0.borrowNow($1, from: other) }
    }

    /// Gives a borrowed player back. Who lent it goes on with what is played, under its own settings; if that is gone, playback ends.
    @discardableResult
    public func returnPlayer() -> CommandResult {
        perform("returnPlayer") { $0.returnNow($1) }
    }

    private func borrowNow(_ command: String, from other: PlayerController) -> CommandResult {
        let current = state.withLock { $0 }
        guard !current.isDestroyed else { return .ignored(refusal(of: command, current)) }
        let lender = other.state.withLock { $0 }
        guard let lent = lender.lease, let model = lender.model, other.lifecycleStrategy === lifecycleStrategy,
            other !== self
        else {
            return .ignored(
                PlayerError(
                    .noPlayer,
                    "\(command) did nothing: controller \(other.id.rawValue) has no player for controller \(id.rawValue)",
                    hint: "Borrow from another controller that plays, of the same lifecycle strategy."))
        }
        leaveSource(for: model)
        let output = makeOutput()
        let session = output.session
        state.withLock { state in
            state.output = output
            state.leasedFor = session
        }
        let outcome = lifecycleStrategy.lendPlayer(of: lent) { [weak self] in self?.follow($0, of: session) }
        guard case .lent(let lease) = outcome else {
            state.withLock { state in
                state.leasedFor = nil
                state.idleState = .stopped
            }
            return .failed(
                PlayerError(
                    .staleLease, "controller \(other.id.rawValue) lost its player before it could lend it",
                    hint: "Call configure(_:) instead."))
        }
        state.withLock { state in
            if state.leasedFor == session { state.lease = lease }
        }
        return goOn(lease, output, model.value, intends: lender.hasPlayIntent)
    }

    private func returnNow(_ command: String) -> CommandResult {
        let current = state.withLock { $0 }
        guard let lease = current.lease else { return .ignored(refusal(of: command, current)) }
        guard lease.origin == .borrowed else {
            return .ignored(refusal(of: command, current, hint: "Only a borrowed player can be returned."))
        }
        endSession(with: .stop(.user)) { giveBack($0) }
        state.withLock { $0.idleState = .stopped }
        return .performed
    }

    /// Goes on with a player that came back, or was taken back.
    ///
    /// - Parameter intends: whether it is to play; nil: as whoever had it left it.
    func goOnWithReturned(intends: Bool? = nil) -> CommandResult {
        Farewell.settle(state.withLock { $0.farewell.take() })
        let output = makeOutput()
        let current = state.withLock { state -> State in
            let former = state
            if let lent = state.lent.take() {
                state.lease = lent
                state.output = output
            }
            return former
        }
        guard let lease = current.lent, let model = current.model else { return .ignored(refusal(of: "play", current)) }
        return goOn(lease, output, model.value, intends: intends ?? lease.player.wantsPlay)
    }

    /// Opens the session of `output` on what a player does already, which another session hears of until now.
    private func goOn(
        _ lease: PlayerLease, _ output: EventOutput, _ model: PlayerModel, intends: Bool
    ) -> CommandResult {
        guard lease.player.state.isActive else {
            // Nothing goes on. The next wish to play begins it anew.
            state.withLock { state in
                guard state.lease?.handle == lease.handle else { return }
                state.output = nil
                state.hasPlayIntent = false
            }
            return .performed
        }
        let opening = SessionOpening(
            model: model, asked: environment.clock.now(), intends: intends, instance: .warm,
            continuedFrom: lease.player.session)
        guard let current = open(output, on: lease, opening) else { return fail(output, lostPlayer(of: model)) }
        let isTaken = drive(lease) { player in
            guard player.attach(to: output, farewell: .takenOver) else { return false }
            player.apply(current.settings)
            if intends { if current.isHeld { player.pause() } else { player.start() } }
            return true
        }
        guard let isTaken else {
            // Another has it by now, and this session never was the player's.
            // Who took it may have told it already, or not have known of it; what comes after the first end is ignored.
            state.withLock { if $0.output === output { $0.isOver = true } }
            output.post(.takenOver)
            return .performed
        }
        guard isTaken else {
            // It came to its end just now, and told the session before.
            state.withLock { if $0.output === output { $0.isOver = true } }
            output.post(.stop(.interrupted))
            return .performed
        }
        return .performed
    }

    // MARK: What happens to a lease

    /// Something happened to the lease of `session`. Thread: whoever did it; the player has not been stopped yet.
    func follow(_ change: LeaseChange, of session: SessionID) {
        switch change {
        case .evicted, .takenOver, .reclaimed: lose(session, change)
        case .suspended: suspend(session)
        case .resumed: commands.performLater { [weak self] in self?.resumeNow() }
        }
    }

    /// The player was lent. The session before ends when the borrower's begins.
    private func suspend(_ session: SessionID) {
        let isOpen = endState(state.withLock { $0 }) == nil
        let output = state.withLock { state -> EventOutput? in
            guard state.leasedFor == session else { return nil }
            // It may be lent again before it was taken up again.
            if let lease = state.lease.take() { state.lent = lease }
            defer { (state.isOver, state.idleState) = (true, .stopped) }
            return state.output
        }
        // What the player does from now on is the borrower's doing.
        output?.end()
        guard let output, isOpen else { return }
        let awaited = Farewell(to: id, from: environment.dispatcher)
        state.withLock { $0.farewell = (awaited, output) }
    }

    private func resumeNow() {
        guard let lent = state.withLock({ $0.lent }), lifecycleStrategy.whileDriving(lent, {}) != nil else { return }
        _ = goOnWithReturned()
    }

    /// Takes back what was lent and plays.
    func reclaimNow(_ command: String, _ lent: PlayerLease) -> CommandResult {
        if let rejection = lifecycleStrategy.reclaimPlayer(lent) {
            environment.log.w(
                "PlayerController", "controller \(id.rawValue) cannot take its player back: \(rejection.rawValue)")
            return .ignored(refusal(of: command, state.withLock { $0 }))
        }
        return goOnWithReturned(intends: true)
    }
}
