// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Why a plugin file or an instance of it cannot be used.
package struct PluginError: Error, Hashable, Sendable {
    /// How far it came.
    package enum Stage: String, Sendable {
        /// Opening the file, `dlopen`, comparing it with the file that was checked.
        case open
        /// Finding the entry in the plugin's own file.
        case symbol
        /// Calling the entry.
        case entry
        /// The plugin's table and its interfaces.
        case descriptor
        /// Making an instance.
        case create
        /// The worker: starting it, its handshake.
        case worker
    }

    package var stage: Stage
    package var path: String
    /// One sentence: what is wrong with what.
    package var message: String
    /// One sentence: what to do next.
    package var hint: String
    /// What the layer below said (`dlerror`, the plugin's own words), empty if nothing.
    package var cause: String

    package init(_ stage: Stage, path: String, _ message: String, hint: String, cause: String = "") {
        self.stage = stage
        self.path = path
        self.message = message
        self.hint = hint
        self.cause = cause
    }

    /// The same as the kit's error, for callers that show it.
    package var playerError: PlayerError {
        PlayerError(stage == .create ? .pluginFailed : .pluginRefused, message, hint: hint, cause: cause)
    }
}

extension PluginError: CustomStringConvertible {
    package var description: String { playerError.description }
}
