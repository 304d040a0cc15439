// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Where the parts of the product are, seen from the running executable: in a build tree beside it, in an installed copy under its
/// prefix.
package struct InstallLayout: Sendable {
    /// The directory of the running executable, links resolved.
    package let executableDirectory: String

    /// - Parameter executableDirectory: nil for that of this process.
    package init(executableDirectory: String? = nil) {
        self.executableDirectory = executableDirectory ?? Self.ownDirectory()
    }

    /// Where built-in strategies are looked for, in this order.
    package var builtinCandidates: [String] {
        ["\(executableDirectory)/builtin", "\(executableDirectory)/../lib/kitshell/builtin"]
    }

    /// Where the program that strangers' plugins run in is looked for, in this order.
    package var workerCandidates: [String] {
        ["\(executableDirectory)/kit-worker", "\(executableDirectory)/../libexec/kitshell/kit-worker"]
    }

    /// Where a file shipped for users is looked for, in this order.
    package func shareCandidates(_ name: String) -> [String] {
        ["\(executableDirectory)/share/\(name)", "\(executableDirectory)/../share/kitshell/\(name)"]
    }

    /// The first directory of built-in strategies that exists.
    package var builtinDirectory: String? {
        builtinCandidates.first(where: Directory.exists)
    }

    package static func isDirectory(_ path: String) -> Bool { Directory.exists(path) }

    package static func isFile(_ path: String) -> Bool {
        (try? FileStatus(path: path))?.kind == S_IFREG
    }

    private static func ownDirectory() -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let start = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return 0 }
            return unsafe readlink("/proc/self/exe", start, bytes.count)
        }
        guard count > 0, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return String(decoding: buffer[..<slash], as: UTF8.self)
    }
}
