// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Paths of files as text; nothing is looked up.
package enum FilePath {
    /// The path from the root, without `.` parts and doubled slashes; links and `..` stay.
    ///
    /// - Parameter directory: what a relative path starts from; nil: the working directory.
    package static func absolute(_ path: some StringProtocol, relativeTo directory: String? = nil) -> String {
        var whole = String(path)
        if !path.hasPrefix("/") { whole = (directory ?? workingDirectory) + "/" + whole }
        let parts = whole.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
        return "/" + parts.map { String(Substring($0)) }.joined(separator: "/")
    }

    private static var workingDirectory: String {
        // Without a working directory (it was removed) nothing relative can be opened either.
        guard let buffer = unsafe getcwd(nil, 0) else { return "" }
        defer { unsafe free(buffer) }
        return unsafe String(cString: buffer)
    }
}
