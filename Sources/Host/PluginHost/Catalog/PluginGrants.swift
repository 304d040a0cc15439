// SPDX-License-Identifier: Apache-2.0

/// What a plugin may do beyond computing, because its user says so.
package struct PluginGrants: Hashable, Sendable {
    package var capabilities: PluginNote.Capabilities = []
    /// Files, or directories with all that is in them; absolute.
    package var readablePaths: [String] = []
    package var writablePaths: [String] = []
    /// There is no sandbox: it has all rights of its user.
    package var isOpen = false

    package init() {}

    package var mayAct: Bool { capabilities.contains(.actions) }
}
