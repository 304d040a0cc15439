// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Synchronization

/// What the user sets. It belongs to the controller: it survives replay and a change of source, and every player that the
/// controller gets is given it, so none of it comes from who had that player before.
extension PlayerController {
    /// Everything below as one value.
    public var settings: PlaybackSettings { state.withLock { $0.settings } }
    /// Media time over real time.
    public var rate: Double { settings.rate }
    /// Whether the source plays again when it ends.
    public var isLooping: Bool { settings.loop != .off }
    /// Whether there is no sound, whatever the volume.
    public var isMuted: Bool { settings.isMuted }
    /// Silence is 0, full is 1.
    public var volume: Double { settings.volume }

    /// Sets the playback rate.
    ///
    /// - Parameter rate: 0.5 to 2.0; 1 is normal.
    @discardableResult
    public func setRate(_ rate: Double) -> CommandResult {
        guard PlaybackSettings.rates.contains(rate) else {
            return .ignored(outOfRange("setRate", "\(rate)", allowed: "rates from 0.5 to 2.0"))
        }
        return change("setRate") { $0.set(rate: rate) }
    }

    /// Sets whether the source plays again and again.
    @discardableResult
    public func setLoop(_ isLooping: Bool) -> CommandResult {
        setLoop(isLooping ? .forever : .off)
    }

    /// Sets how often the source plays again.
    ///
    /// - Parameter loop: a count is at least 1 and counts from the start of the session.
    @discardableResult
    public func setLoop(_ loop: PlaybackSettings.Loop) -> CommandResult {
        if case .times(let count) = loop, count < 1 {
            return .ignored(outOfRange("setLoop", "\(count) times", allowed: "counts from 1"))
        }
        return change("setLoop") { $0.loop = loop }
    }

    /// Sets whether there is no sound, whatever the volume.
    @discardableResult
    public func setMuted(_ isMuted: Bool) -> CommandResult {
        change("setMuted") { $0.isMuted = isMuted }
    }

    /// Sets the volume.
    ///
    /// - Parameter volume: 0 to 1.
    @discardableResult
    public func setVolume(_ volume: Double) -> CommandResult {
        guard PlaybackSettings.volumes.contains(volume) else {
            return .ignored(outOfRange("setVolume", "\(volume)", allowed: "volumes from 0 to 1"))
        }
        return change("setVolume") { $0.set(volume: volume) }
    }

    private func change(
        _ command: String, _ body: @escaping @Sendable (inout PlaybackSettings) -> Void
    ) -> CommandResult {
        perform(command) { controller, command in
            let current = controller.state.withLock { state in
                if !state.isDestroyed { body(&state.settings) }
                return state
            }
            guard !current.isDestroyed else { return .ignored(controller.refusal(of: command, current)) }
            controller.stateStore.note(current.settings)
            // A player at rest is given them when its next session begins.
            if controller.endState(current) == nil { controller.drive(current) { $0.apply(current.settings) } }
            return .performed
        }
    }
}
