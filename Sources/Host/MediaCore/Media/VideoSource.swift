// SPDX-License-Identifier: Apache-2.0

/// What is to be played. Carries credentials; its `displayName` and `uniqueID` never do.
public struct VideoSource: Hashable, Sendable {
    /// The three ways to name a video.
    public enum Kind: Hashable, Sendable {
        /// A video id with a playback credential; needs a resolver.
        case vidAuth(vid: String, playAuth: String)
        /// A video id with temporary credentials; needs a resolver.
        case vidSts(vid: String, accessKeyId: String, accessKeySecret: String, securityToken: String, region: String)
        /// A URL or a file path.
        case url(String)
    }

    /// How the video is named, with what is needed to get it.
    public var kind: Kind

    public init(_ kind: Kind) {
        self.kind = kind
    }

    /// A video id with a playback credential.
    public static func vidAuth(vid: String, playAuth: String) -> VideoSource {
        VideoSource(.vidAuth(vid: vid, playAuth: playAuth))
    }

    /// A video id with temporary credentials; `region` may be empty.
    public static func vidSts(
        vid: String, accessKeyId: String, accessKeySecret: String, securityToken: String, region: String
    ) -> VideoSource {
        VideoSource(
            .vidSts(
                vid: vid, accessKeyId: accessKeyId, accessKeySecret: accessKeySecret, securityToken: securityToken,
                region: region))
    }

    /// A URL, or the path of a file.
    public static func url(_ url: String) -> VideoSource {
        VideoSource(.url(url))
    }

    /// Whether every part that its kind needs is there.
    public var isValid: Bool {
        switch kind {
        case .vidAuth(let vid, let playAuth): !vid.isEmpty && !playAuth.isEmpty
        case .vidSts(let vid, let id, let secret, let token, _):
            !vid.isEmpty && !id.isEmpty && !secret.isEmpty && !token.isEmpty
        case .url(let url): !url.isEmpty
        }
    }
}
