// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A directory of its own for one test; gone with the object.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "playerkit-\(UUID().uuidString)")
        // Nobody else may write there, whatever the umask: the loading rules look at that.
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in it.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, readable by all and writable by its owner, and gives its path.
    package func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> String {
        let path = file(name)
        try Data(bytes).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }
}
