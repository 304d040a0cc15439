// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

extension SourceLocation {
    /// - Throws: `noResolver` for a video id, `invalidSource` or `unsupportedProtocol` for a URL that names nothing to open.
    init(_ source: VideoSource) throws(PlayerError) {
        guard source.isValid else {
            throw PlayerError(
                .invalidSource, "The source \(source.displayName) lacks a part", hint: "Give every part its kind needs."
            )
        }
        guard case .url(let url) = source.kind else {
            throw PlayerError(
                .noResolver, "No resolver turns \(source.displayName) into an address", hint: "Play a URL or a file.")
        }
        do throws(UnusableSource) {
            try self.init(url)
        } catch {
            guard let scheme = error.scheme else {
                throw PlayerError(
                    .invalidSource, "\(source.displayName) names no file of this machine",
                    hint: "Give a path, or a URL with file, http or https.")
            }
            throw PlayerError(
                .unsupportedProtocol, "\(source.displayName) uses the protocol \(scheme), which is not supported",
                hint: "Use a path, or a URL with file, http or https.")
        }
    }
}
