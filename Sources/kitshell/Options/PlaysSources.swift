// SPDX-License-Identifier: Apache-2.0

package import MediaCore
internal import PlayerKit

/// A command that plays sources.
package protocol PlaysSources: RunsStrategies, PrintsResults {
    var hasVideo: Bool { get set }
    var hasAudio: Bool { get set }
    /// In place of what the machine reports.
    var network: NetworkType? { get set }
    /// Where the event log goes: a path, or `-` for standard output.
    var recordFile: String? { get set }
}

extension PlaysSources {
    static var trackRows: [OptionRow<Self>] {
        [
            .flag("no-video", help: "leave the picture out") { $0.hasVideo = false },
            .flag("no-audio", help: "leave the sound out") { $0.hasAudio = false },
        ]
    }

    static var networkRow: OptionRow<Self> {
        .choice("network", NetworkType.self, help: "the kind of network, in place of what the machine reports") {
            $0.network = $1
        }
    }

    static var recordRow: OptionRow<Self> {
        .text("record", "FILE", help: "write the event log, for kitshell replay") {
            (options, value) throws(UsageError) in options.recordFile = value
        }
    }

    func checkHasTrack() throws(UsageError) {
        guard hasVideo || hasAudio else {
            throw UsageError("with --no-video and --no-audio there is nothing to play", hint: "leave one of them out")
        }
    }

    /// A source as it is played with these options.
    func model(of source: String) -> PlayerModel {
        var model = PlayerModel(videoSource: .url(source))
        model.configuration.isVideoDisabled = !hasVideo
        model.configuration.isAudioDisabled = !hasAudio
        return model
    }
}
