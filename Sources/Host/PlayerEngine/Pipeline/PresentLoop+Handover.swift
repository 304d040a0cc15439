// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// How a session hears of a picture that was there before it, and how another session takes over.
extension PresentLoop {
    /// Tells the session, once, that a picture is shown to the viewer.
    func tellFirst() {
        guard !hasToldFirst, let shown else { return }
        hasToldFirst = true
        control.post(.firstVideoFrame(pts: shown.time), position: shown.time)
    }

    /// Takes up another session, if one is asked for: what is played goes on, and who hears of it changes.
    func followHandover(at now: EventTime) {
        guard control.hasHandover else { return }
        progress.tellNow(position(at: now), buffered: buffered)
        control.takeUpHandover()
        progress.beginSession()
        settings = PlaybackSettings()
        hasToldFirst = false
        hasPlayedAudio = false
        tellWhatIsPlayed(at: now)
    }

    private func tellWhatIsPlayed(at now: EventTime) {
        let published = control.published
        control.post(.trackReady(published.tracks))
        if let video = heads.first(where: { $0.line.kind == .video }) { control.post(.rendition(video.track.info)) }
        if let media = published.media { control.post(.prepared(media)) }
        control.post(.state(published.state))
        if let shown {
            control.post(.videoSize(width: shown.width, height: shown.height))
            // It is on the viewer's screen from now on.
            tellFirst()
        }
        if let buffering, buffering.isTold { control.post(.loadingBegin(cause: buffering.cause, stoppedAt: now)) }
        progress.tellNow(position(at: now), buffered: buffered)
    }
}
