// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Why a command does nothing: which one, in which state, and what to do instead. Thread: any.
extension PlayerController {
    /// - Parameter hint: what to do in a state where the command means nothing although there is a player.
    func refusal(
        of command: String, _ current: State, hint: String = "Call play() or replay() first."
    ) -> PlayerError {
        if current.isDestroyed {
            return PlayerError(
                .illegalState, "\(command) did nothing: controller \(id.rawValue) was destroyed",
                hint: "Make a new controller.")
        }
        guard let lease = current.lease else {
            return PlayerError(
                .noPlayer,
                "\(command) did nothing: controller \(id.rawValue) has no player and is in state \(current.idleState)",
                hint: current.lent == nil ? "Call configure(_:) first." : "Call play(), which takes its player back.")
        }
        return PlayerError(
            .illegalState,
            "\(command) did nothing: controller \(id.rawValue) is in state \(endState(current) ?? lease.player.state)",
            hint: hint)
    }

    /// - Parameter current: as it was before the player was taken away.
    func refusal(ofLost command: String, _ current: State) -> PlayerError {
        var current = current
        current.lease = nil
        current.idleState = .stopped
        return refusal(of: command, current)
    }

    func outOfRange(_ command: String, _ value: String, allowed: String) -> PlayerError {
        PlayerError(
            .outOfRange, "\(command) did nothing: controller \(id.rawValue) was given \(value)",
            hint: "It takes \(allowed).")
    }
}
