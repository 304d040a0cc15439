// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How much memory this process occupies.
enum ResidentMemory {
    /// The most bytes that were resident at one time since this program began, pages of files and libraries among them; nil if the kernel
    /// does not tell.
    ///
    /// Not that of `getrusage`, which also remembers the program that this one took the place of.
    static var peak: Int64? {
        let descriptor = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lines = LineReader(descriptor: descriptor, longestLine: 4096, hint: "")
        while let line = try? lines.next() {
            guard line.hasPrefix("VmHWM:") else { continue }
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count == 3, words[2] == "kB", let kibibytes = Int64(words[1]) else { return nil }
            return kibibytes * 1024
        }
        return nil
    }
}
