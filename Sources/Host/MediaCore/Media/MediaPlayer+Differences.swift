// SPDX-License-Identifier: Apache-2.0

extension MediaPlayer {
    /// What of a player that was reset is not as its factory made it, without secrets; empty if nothing.
    ///
    /// What it keeps that no source can tell, such as connections and decoders, is not seen here.
    package var differencesFromNew: [String] {
        var differences: [String] = []
        if state != .idle { differences.append("state \(state)") }
        // With it all that came with it: headers, trace ID, start, end, configuration.
        if let model { differences.append("source \(model.videoSource.displayName)") }
        if let session { differences.append("session \(session.rawValue)") }
        if currentPosition != .zero { differences.append("position \(currentPosition.microseconds)") }
        if let duration { differences.append("duration \(duration.microseconds)") }
        if let bufferedPosition { differences.append("buffered \(bufferedPosition.microseconds)") }
        if !tracks.isEmpty { differences.append("\(tracks.count) tracks") }
        if wantsPlay { differences.append("the wish to play") }
        let new = PlaybackSettings()
        if settings.rate != new.rate { differences.append("rate \(settings.rate)") }
        if settings.loop != new.loop { differences.append("loop \(settings.loop)") }
        if settings.isMuted != new.isMuted { differences.append("muted \(settings.isMuted)") }
        if settings.volume != new.volume { differences.append("volume \(settings.volume)") }
        return differences
    }
}
