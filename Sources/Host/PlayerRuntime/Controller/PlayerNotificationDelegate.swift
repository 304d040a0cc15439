// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// Hears what a controller's player does. Every method is optional.
///
/// Thread: the delivery queue of the controller, one call at a time, in the order of the events.
public protocol PlayerNotificationDelegate: AnyObject, Sendable {
    /// The player does something else.
    func playerDidChangeState(_ state: PlayerState)
    /// `duration` is nil if the source has none or does not tell.
    func playerDidPrepared(duration: MediaTime?)
    /// Once a session, when the first frame was shown.
    func playerDidRenderFirstFrame()
    /// The source was played to its end; after `playerDidChangeState(.completed)`.
    func playerDidCompletion()
    /// A few times a second while it plays; those that come faster than they are handled are merged.
    func playerDidUpdateCurrentPosition(_ position: MediaTime, duration: MediaTime?, bufferedPosition: MediaTime?)
    /// Fatal or not: after a fatal one the state is error.
    func playerDidEncounterError(_ error: PlayerError)
    /// In pixels.
    func playerDidChangeVideo(width: Int, height: Int)
    /// Playback, or its start, waits for data.
    func playerDidLoadingBegin()
    /// It waits no longer.
    func playerDidLoadingEnd()
    /// `progress`: 0 to 100.
    func playerDidUpdateLoadingProgress(_ progress: Int)
    /// A seek arrived; `position` is that of the first frame there. One that is superseded or fails does not come here.
    func playerDidSeek(to position: MediaTime)
    /// The tracks of the source are known.
    func playerDidTrackReady(_ tracks: [TrackInfo])
    /// Another track is played in place of the one of its kind.
    func playerDidTrackChanged(_ track: TrackInfo)
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
    public func playerDidSeek(to position: MediaTime) {}
    public func playerDidTrackReady(_ tracks: [TrackInfo]) {}
    public func playerDidTrackChanged(_ track: TrackInfo) {}
}
