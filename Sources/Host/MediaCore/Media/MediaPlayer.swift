// SPDX-License-Identifier: Apache-2.0

/// One media engine instance. Commands return at once; what came of them are events.
///
/// The player posts: state, opened, stream_info, first_packet, first_decoded, prepared, video_size, first_video_frame, first_audio,
/// position, frames, bytes, loading…, demux_eof, error, completed. Its owner posts the rest (request, intents, stop …).
///
/// Thread: any; every command is ordered with the others of the same player.
public protocol MediaPlayer: AnyObject, Sendable {
    /// Unique in the process; counts from 1.
    var playerID: Int64 { get }
    var state: PlayerState { get }
    /// Where playback is; `.zero` while nothing is prepared.
    var currentPosition: MediaTime { get }
    /// nil while it is not known.
    var duration: MediaTime? { get }

    /// Sets what `prepare` will open and where its events go. Only in states idle, stopped, completed and error.
    ///
    /// - Throws: `PlayerError` with `illegalState` elsewhere.
    func setDataSource(_ model: PlayerModel, output: EventOutput) throws(PlayerError)
    /// Opens the source. Ends in state prepared or error.
    func prepare()
    /// Plays as soon as it is prepared. A no-op in states where there is nothing to play.
    func start()
    /// Stops the clock, keeps everything. A no-op unless playing or about to.
    func pause()
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
}
