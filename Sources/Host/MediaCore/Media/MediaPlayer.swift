// SPDX-License-Identifier: Apache-2.0

/// One media engine instance. Commands return at once; what came of them are events.
///
/// The player posts: state, opened, stream_info, track_ready, prepared, first_packet, first_decoded, rendition, video_size,
/// first_video_frame, first_audio, position, frames, bytes, loading…, seek…, rate, mute, loop, track_changed, retry, underruns,
/// demux_eof, error, completed, and stop where its model says where to end. Its owner posts the rest (request, intents, other stops …).
///
/// A command that means nothing in the player's state does nothing.
///
/// Thread: any; every command is ordered with the others of the same player.
public protocol MediaPlayer: AnyObject, Sendable {
    /// Unique in the process; counts from 1.
    var playerID: Int64 { get }
    /// What it does now; events of it come later.
    var state: PlayerState { get }
    /// Where playback is; `.zero` while nothing is prepared.
    var currentPosition: MediaTime { get }
    /// nil while it is not known.
    var duration: MediaTime? { get }
    /// Up to where media has been read; nil while it is not known.
    var bufferedPosition: MediaTime? { get }
    /// The tracks of the source; empty until it is prepared.
    var tracks: [TrackInfo] { get }
    /// What the owner set; survives the change of source, not `reset`.
    var settings: PlaybackSettings { get }
    /// Whether it plays, or will once it can: the last of `start` and `pause`. False without anything to play.
    var wantsPlay: Bool { get }
    /// Who hears of what it does, or last did; nil before it was given a source.
    var session: SessionID? { get }
    /// What it plays, or last did; nil before it was given a source. Holds secrets.
    var model: PlayerModel? { get }

    /// Sets what `prepare` will open and where its events go. Only in states idle, stopped, completed and error.
    ///
    /// - Throws: `PlayerError` with `illegalState` elsewhere.
    func setDataSource(_ model: PlayerModel, output: EventOutput) throws(PlayerError)
    /// Opens the source. Ends in state prepared or error.
    func prepare()
    /// Plays as soon as it is prepared. A no-op in states where there is nothing to play.
    func start()
    /// Shows the first picture of what is prepared, and goes no further until `start`. A no-op once it plays.
    func preview()
    /// Goes on under another session, as it is: nothing is opened or decoded again.
    ///
    /// The former session is told its last figures and then `farewell`. The new one is told what it has to know: tracks, rendition, what
    /// was prepared, the state, the picture that is shown, and from there on everything; its counts begin at zero.
    ///
    /// - Returns: false if nothing is being prepared, prepared or played; nothing has changed then.
    func attach(to output: EventOutput, farewell: PlayerEvent) -> Bool
    /// Stops the clock, keeps everything. A no-op unless playing or about to.
    func pause()
    /// Goes to a position. A later seek supersedes one that is under way; before the source is prepared it is where playback will start.
    func seek(to target: MediaTime, mode: SeekMode)
    /// Puts settings in force, at once where something plays.
    ///
    /// A session begins with the default settings as far as its events tell: what differs from what was told last is posted as `rate`
    /// and `mute`, so the events of a session say how it is played.
    func apply(_ settings: PlaybackSettings)
    /// Plays another track in place of the one of its kind, without opening the source again; nothing for an index that is no track
    /// that can be played, or is played already.
    func selectTrack(_ index: Int)
    /// Ends playback, closes the source, ends the threads; the player can be given another source.
    ///
    /// Blocks up to 500 ms for the threads; what has not ended by then is parked and counted.
    func stop()
    /// Makes a stopped player equal to a new one: settings default, no source, no output, state idle.
    func reset()
    /// Frees everything; calls stop first. The player is dead afterwards: its commands are no-ops.
    func destroy()
}

/// Makes players.
///
/// Thread: any.
public protocol PlayerFactory: AnyObject, Sendable {
    /// - Throws: `PlayerError` if none can be made; the pool's counts then stay as they were.
    func makePlayer() throws(PlayerError) -> any MediaPlayer
    /// Frees what is kept for players to come. They work without it.
    func relieve()
}

extension PlayerFactory {
    /// Keeps nothing.
    public func relieve() {}
}
