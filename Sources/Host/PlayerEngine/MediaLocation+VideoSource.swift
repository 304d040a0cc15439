// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

extension VideoSource {
    /// What messages call the source `-`.
    static let standardInputName = "standard input"

    /// The source as messages show it: without secrets, on one line.
    var printableName: String {
        if case .url(let text) = kind, SourceLocation(text) == .standardInput { return VideoSource.standardInputName }
        return String(
            String.UnicodeScalarView(
                displayName.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}

extension MediaLocation {
    /// - Throws: `noResolver` for a video id, `invalidSource` or `unsupportedProtocol` for a URL that names nothing to open.
    init(_ source: VideoSource) throws(PlayerError) {
        guard source.isValid else {
            throw PlayerError(
                .invalidSource, "The source \(source.printableName) lacks a part",
                hint: "Give every part its kind needs."
            )
        }
        guard case .url(let url) = source.kind else {
            throw PlayerError(
                .noResolver, "No resolver turns \(source.printableName) into an address", hint: "Play a URL or a file.")
        }
        do throws(UnusableSource) {
            try self.init(url)
        } catch {
            guard let scheme = error.scheme else {
                throw PlayerError(
                    .invalidSource, "\(source.printableName) names neither a file of this machine nor a server",
                    hint: "Give a path, or a URL with file, http or https.")
            }
            throw PlayerError(
                .unsupportedProtocol, "\(source.printableName) uses the protocol \(scheme), which is not supported",
                hint: "Use a path, or a URL with file, http or https.")
        }
    }
}
