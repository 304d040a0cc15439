// SPDX-License-Identifier: Apache-2.0

internal import PlayerEngine
internal import PluginHost
internal import Sessions

/// The versions of what runs here.
public enum HostVersions {
    /// Of PlayerKit and kitshell.
    public static let product = "0.1.0"
    /// Of the plugin ABI, `major.minor`.
    public static var abi: String { "\(HostABI.current.major).\(HostABI.current.minor)" }
    /// Of libavformat, as loaded.
    public static var libavformat: String { LibAVLibrary.formatVersion }
    /// The licence that the loaded libavformat was built under.
    public static var libavLicence: String { LibAVLibrary.licence }

    static var report: PlaybackReport.Host {
        PlaybackReport.Host(version: product, abi: abi, libavformat: libavformat)
    }
}
