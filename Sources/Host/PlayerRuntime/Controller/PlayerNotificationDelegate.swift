// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// Hears what a controller's player does. Every method is optional.
///
/// Thread: the delivery queue of the controller, one call at a time, in the order of the events.
public protocol PlayerNotificationDelegate: AnyObject, Sendable {
    func playerDidChangeState(_ state: PlayerState)
    /// `duration` is nil if the source has none or does not tell.
    func playerDidPrepared(duration: MediaTime?)
    /// Once a session, when the first frame was shown.
    func playerDidRenderFirstFrame()
    func playerDidCompletion()
    /// A few times a second while it plays; those that come faster than they are handled are merged.
    func playerDidUpdateCurrentPosition(_ position: MediaTime, duration: MediaTime?, bufferedPosition: MediaTime?)
    /// Fatal or not: after a fatal one the state is error.
    func playerDidEncounterError(_ error: PlayerError)
    /// In pixels.
    func playerDidChangeVideo(width: Int, height: Int)
    func playerDidLoadingBegin()
    func playerDidLoadingEnd()
    /// `progress`: 0 to 100.
    func playerDidUpdateLoadingProgress(_ progress: Int)
}

extension PlayerNotificationDelegate {
    public func playerDidChangeState(_ state: PlayerState) {}
    public func playerDidPrepared(duration: MediaTime?) {}
    public func playerDidRenderFirstFrame() {}
    public func playerDidCompletion() {}
    public func playerDidUpdateCurrentPosition(
        _ position: MediaTime, duration: MediaTime?, bufferedPosition: MediaTime?
    ) {}
    public func playerDidEncounterError(_ error: PlayerError) {}
    public func playerDidChangeVideo(width: Int, height: Int) {}
    public func playerDidLoadingBegin() {}
    public func playerDidLoadingEnd() {}
    public func playerDidUpdateLoadingProgress(_ progress: Int) {}
}
