// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Synchronization

/// Which tracks are played. Thread: as `PlayerController`.
extension PlayerController {
    /// Plays another video or audio track in place of the one of its kind, until the session ends.
    ///
    /// - Parameter index: that of one of `tracks`.
    @discardableResult
    public func selectTrack(_ index: Int) -> CommandResult {
        perform("selectTrack") { $0.selectTracks($1) { $0.trackIndexes(index, $1, of: $2) } }
    }

    /// Plays the tracks that suit best in place of those of their kinds, until the session ends: the video by height and bitrate, the
    /// audio by language. What the preference does not name stays as it is.
    ///
    /// - Parameter preference: ignored as a whole if the source lacks one of the things it names.
    @discardableResult
    public func selectTrack(preferring preference: TrackPreference) -> CommandResult {
        perform("selectTrack(preferring:)") { $0.selectTracks($1) { $0.trackIndexes(preference, $1, of: $2) } }
    }

    /// - Parameter choose: names the tracks among those of the source, or says why none.
    private func selectTracks(
        _ command: String, _ choose: (PlayerController, String, [TrackInfo]) -> Result<[Int], PlayerError>
    ) -> CommandResult {
        let current = state.withLock { $0 }
        guard let lease = current.lease, endState(current) == nil else {
            return .ignored(refusal(of: command, current))
        }
        guard lease.player.state != .preparing else {
            return .ignored(refusal(of: command, current, hint: "Wait until the source is prepared."))
        }
        switch choose(self, command, lease.player.tracks) {
        case .success(let indexes):
            let isDone: Void? = drive(current) { player in for index in indexes { player.selectTrack(index) } }
            return isDone == nil ? .ignored(refusal(ofLost: command, current)) : .performed
        case .failure(let error): return .ignored(error)
        }
    }

    private func trackIndexes(_ index: Int, _ command: String, of tracks: [TrackInfo]) -> Result<[Int], PlayerError> {
        let playable = tracks.filter { $0.kind != .subtitle }.map { String($0.index) }
        guard playable.contains(String(index)) else {
            let allowed = playable.isEmpty ? "none" : playable.joined(separator: ", ")
            return .failure(outOfRange(command, "track \(index)", allowed: "tracks of video and audio: \(allowed)"))
        }
        return .success([index])
    }

    private func trackIndexes(
        _ preference: TrackPreference, _ command: String, of tracks: [TrackInfo]
    ) -> Result<[Int], PlayerError> {
        guard preference != TrackPreference() else {
            return .failure(
                outOfRange(command, "an empty preference", allowed: "a height, a bitrate or a language"))
        }
        var indexes: [Int] = []
        if preference.limitsVideo {
            guard let track = preference.rendition(of: tracks.filter { $0.kind == .video }) else {
                return .failure(
                    outOfRange(command, "a limit of the video", allowed: "only a language: the source has no video"))
            }
            indexes.append(track.index)
        }
        if let language = preference.language {
            let spoken = tracks.filter { $0.kind == .audio }
            guard let track = preference.speech(of: spoken) else {
                let known = spoken.compactMap(\.language)
                let allowed = known.isEmpty ? "none" : known.joined(separator: ", ")
                return .failure(
                    outOfRange(command, "the language \(language)", allowed: "languages of the audio: \(allowed)"))
            }
            indexes.append(track.index)
        }
        return .success(indexes)
    }
}
