// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// The versions of the plugin ABI that a host serves.
package struct HostABI: Hashable, Sendable, CustomStringConvertible {
    package var major: UInt32
    package var minor: UInt32
    /// The oldest minor that a plugin may have been built against.
    package var oldestMinor: UInt32

    package init(major: UInt32, minor: UInt32, oldestMinor: UInt32) {
        self.major = major
        self.minor = minor
        self.oldestMinor = oldestMinor
    }

    /// This host's.
    package static let current = HostABI(major: UInt32(KIT_ABI_MAJOR), minor: UInt32(KIT_ABI_MINOR), oldestMinor: 0)

    /// As in `1.0`.
    package var description: String { "\(major).\(minor)" }
}
