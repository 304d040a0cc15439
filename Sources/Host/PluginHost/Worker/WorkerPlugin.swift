// SPDX-License-Identifier: Apache-2.0

/// What a worker has to know of the plugin file that was inspected and accepted.
package struct WorkerPlugin: Hashable, Sendable {
    /// Absolute.
    package var path: String
    /// The file as it was inspected; another one is not loaded.
    package var identity: FileIdentity
    /// The interfaces that its note names.
    package var kinds: PluginNote.Kinds

    package init(path: String, identity: FileIdentity, kinds: PluginNote.Kinds) {
        self.path = path
        self.identity = identity
        self.kinds = kinds
    }
}
