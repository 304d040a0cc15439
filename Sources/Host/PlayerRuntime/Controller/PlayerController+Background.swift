// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// What the application tells when it goes to the background and comes back.
extension PlayerController {
    /// Whether `onPause` pauses the player and `onResume` resumes it. Default: yes. Without it a player goes on playing in the
    /// background. Read by `onPause`; a later change counts from the next one on.
    public var autoLifecycleManagement: Bool {
        get { state.withLock { $0.managesLifecycle } }
        set { state.withLock { $0.managesLifecycle = newValue } }
    }

    /// The application went to the background. The player pauses, and the user's wish is kept: whatever is wished, prepared or
    /// configured until `onResume`, nothing plays.
    @discardableResult
    public func onPause() -> CommandResult {
        perform("onPause") { $0.enterBackgroundNow($1) }
    }

    /// The application came back from the background: the player goes on if the user wants it to.
    @discardableResult
    public func onResume() -> CommandResult {
        perform("onResume") { $0.leaveBackgroundNow($1) }
    }

    private func enterBackgroundNow(_ command: String) -> CommandResult {
        let current = state.withLock { $0 }
        guard !current.isDestroyed else { return .ignored(refusal(of: command, current)) }
        guard !current.isInBackground else {
            return .ignored(
                PlayerError(
                    .illegalState, "\(command) did nothing: controller \(id.rawValue) is in the background already",
                    hint: "Call onResume() when the application comes back."))
        }
        state.withLock { state in
            state.isInBackground = true
            state.isHeld = current.managesLifecycle
        }
        tell(.background, current)
        if current.managesLifecycle, current.hasPlayIntent, endState(current) == nil { drive(current) { $0.pause() } }
        return .performed
    }

    private func leaveBackgroundNow(_ command: String) -> CommandResult {
        let current = state.withLock { $0 }
        guard !current.isDestroyed else { return .ignored(refusal(of: command, current)) }
        guard current.isInBackground else {
            return .ignored(
                PlayerError(
                    .illegalState, "\(command) did nothing: controller \(id.rawValue) is in the foreground",
                    hint: "Call onPause() when the application goes to the background."))
        }
        state.withLock { state in
            state.isInBackground = false
            state.isHeld = false
        }
        tell(.foreground, current)
        if current.isHeld, current.hasPlayIntent, endState(current) == nil { drive(current) { $0.start() } }
        return .performed
    }

    /// Posts what holds whatever session is open, or will be.
    private func tell(_ event: PlayerEvent, _ current: State) {
        EventOutput(controller: id, session: .none, clock: environment.clock, queue: environment.queue)
            .post(event, position: current.lease?.player.currentPosition)
    }
}
