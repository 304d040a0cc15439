// SPDX-License-Identifier: Apache-2.0

internal import CLibAV

/// The media library as it is loaded.
package enum LibAVLibrary {
    /// Version of libavformat, `major.minor.micro`.
    package static var formatVersion: String {
        let version = avformat_version()
        return "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
    }

    /// The licence it was built under.
    package static var licence: String {
        unsafe avformat_license().map { unsafe String(cString: $0) } ?? "unknown"
    }
}
