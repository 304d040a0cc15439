// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// How a session begins.
struct SessionOpening {
    /// Where it begins instead of where its model says.
    struct Seek {
        var target: MediaTime
        var mode: SeekMode
    }

    var model: PlayerModel
    /// When it was asked for.
    var asked: EventTime
    /// Whether it is to play.
    var intends: Bool
    /// How warm the player is.
    var instance: PlayerInstanceKind
    /// The session that this one follows on the same player.
    var continuedFrom: SessionID?
    var seek: Seek?
    /// What is ready in the player, to go on with.
    var preparation: PlayerPreparation?

    /// The same video under another address, such as one that was signed anew, goes on where it was, unless its model says otherwise. The same
    /// address again is another viewing, and begins as its model says.
    mutating func refresh(from lease: PlayerLease) {
        guard lease.origin == .hit, preparation == nil, model.startTime == nil, let resume = lease.resume,
            let revision = resume.sourceRevision, revision != model.videoSource.sourceRevision
        else { return }
        model.startTime = resume.position
    }

    /// The model as the player gets it.
    var playedModel: PlayerModel {
        var model = model.asPlayed
        if seek != nil { model.startTime = nil }
        return model
    }
}

extension PlayerModel {
    /// The scene type chooses the buffers where the configuration does not.
    var asPlayed: PlayerModel {
        var model = self
        if model.configuration.scene == nil { model.configuration.scene = sceneType.configurationScene }
        return model
    }
}
