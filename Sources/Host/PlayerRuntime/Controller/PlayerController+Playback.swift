// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// The commands that play. `docs/commands.md` says what each does in each state.
extension PlayerController {
    /// Plays another source: gives the player back, gets one, opens a session, prepares, and starts if the model says so.
    @discardableResult
    public func configure(_ model: PlayerModel) -> CommandResult {
        perform("configure") { controller, _ in controller.configureNow(model) }
    }

    /// Says what may be played next, in place of what was said before, by this controller or another of the same lifecycle strategy. The
    /// strategy chooses what of it is made ready ahead, in players that nobody holds; whoever configures the same model then goes on with
    /// one of them. What is not announced any more is given up; nothing announced gives up all.
    ///
    /// - Parameters:
    ///   - upcoming: nearest first.
    ///   - behind: what was played before and may be again, nearest first.
    /// - Returns: `.failed` if a player could not be made; what was made ready stays.
    @discardableResult
    public func announce(upcoming: [PlayerModel], behind: [PlayerModel] = []) -> CommandResult {
        perform("announce") { $0.announceNow($1, upcoming, behind: behind) }
    }

    /// Starts or resumes. After the end, a stop or an error it starts from the beginning, as a new session.
    @discardableResult
    public func play() -> CommandResult {
        perform("play") { $0.playNow($1) }
    }

    /// Pauses.
    @discardableResult
    public func pause() -> CommandResult {
        perform("pause") { $0.pauseNow($1) }
    }

    /// Plays if the user's last wish was not to, else pauses.
    @discardableResult
    public func toggle() -> CommandResult {
        perform("toggle") { $0.isIntendedToPlay ? $0.pauseNow($1) : $0.playNow($1) }
    }

    /// Plays from the beginning, as a new session that continues this one.
    @discardableResult
    public func replay() -> CommandResult {
        perform("replay") { $0.replayNow($1) }
    }

    /// Goes to a media position. While a seek is under way the newer one supersedes it; before the source is prepared it is where
    /// playback will start. After the end or a stop it opens a new session there, which plays if that was the user's last wish.
    ///
    /// - Parameters:
    ///   - target: zero or more; past the end it is the end.
    ///   - mode: `.keyframe` is faster and lands at or before the target.
    @discardableResult
    public func seek(to target: MediaTime, mode: SeekMode = .exact) -> CommandResult {
        guard target >= .zero else {
            return .ignored(outOfRange("seek", "\(target.milliseconds) ms", allowed: "positions from 0 ms"))
        }
        return perform("seek") { $0.seekNow($1, to: target, mode) }
    }

    /// Ends the session and stops the player, which stays with the controller.
    @discardableResult
    public func stop(_ reason: StopReason = .user) -> CommandResult {
        perform("stop") { $0.stopNow($1, reason) }
    }

    /// Ends everything: the session, the player, the strategies, the streams. Later commands are ignored.
    @discardableResult
    public func destroy() -> CommandResult {
        perform("destroy") { controller, _ in controller.destroyNow() }
    }

    /// Performs a command, or queues it; what is wrong with a queued one is logged, since its caller is gone by then.
    func perform(
        _ command: String, _ body: @escaping @Sendable (PlayerController, String) -> CommandResult
    ) -> CommandResult {
        let caller = commands.perform {
            body(self, command)
        } queued: { [log = environment.log] result in
            if let error = result.error { log.w("PlayerController", "a queued command: \(error)") }
        }
        return caller ?? .queued
    }
}
