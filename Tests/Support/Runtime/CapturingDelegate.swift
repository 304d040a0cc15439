// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import PlayerRuntime

/// Notes every notification in a journal.
public final class CapturingDelegate: PlayerNotificationDelegate {
    public let journal: Journal

    public init(journal: Journal = Journal()) {
        self.journal = journal
    }

    public func playerDidChangeState(_ state: PlayerState) { journal.note("state \(state)") }
    public func playerDidPrepared(duration: MediaTime?) {
        journal.note("prepared \(duration.map { String($0.microseconds) } ?? "unknown")")
    }
    public func playerDidRenderFirstFrame() { journal.note("first frame") }
    public func playerDidCompletion() { journal.note("completion") }
    public func playerDidUpdateCurrentPosition(
        _ position: MediaTime, duration: MediaTime?, bufferedPosition: MediaTime?
    ) {
        journal.note("position \(position.microseconds)")
    }
    public func playerDidEncounterError(_ error: PlayerError) { journal.note("error \(error.code.name)") }
    public func playerDidChangeVideo(width: Int, height: Int) { journal.note("size \(width)x\(height)") }
    public func playerDidLoadingBegin() { journal.note("loading begin") }
    public func playerDidLoadingEnd() { journal.note("loading end") }
    public func playerDidUpdateLoadingProgress(_ progress: Int) { journal.note("loading \(progress)") }
    public func playerDidSeek(to position: MediaTime) { journal.note("seek \(position.microseconds)") }
    public func playerDidTrackReady(_ tracks: [TrackInfo]) { journal.note("tracks \(tracks.map(\.index))") }
    public func playerDidTrackChanged(_ track: TrackInfo) { journal.note("track \(track.index) \(track.kind)") }
}
