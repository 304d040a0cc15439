// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Processes that a run has left behind: whatever it started has the fixture's file mapped, or is a worker by name.
enum Leftovers {
    /// Waits a moment for those that are about to end, and ends the others.
    ///
    /// - Parameter host: the process that was run, which has ended.
    /// - Returns: whether there were any.
    static func end(of host: Int32, directory: String) -> Bool {
        let deadline = ContinuousClock.now + .seconds(1)
        while true {
            let found = find(host, directory)
            if found.isEmpty { return false }
            if ContinuousClock.now > deadline {
                for id in found { kill(id, SIGKILL) }
                return true
            }
            usleep(10_000)
        }
    }

    private static func find(_ host: Int32, _ directory: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { id in
            guard id != getpid() else { return false }
            // A process that has ended and was not collected has neither.
            if contents("/proc/\(id)/cmdline") == "kit-worker\0\(host)\0" { return true }
            return contents("/proc/\(id)/maps").contains(directory + "/")
        }
    }

    /// Files of /proc tell no size, and come a page at a time.
    private static func contents(_ path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var (bytes, page) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
        while true {
            let count = unsafe read(descriptor, &page, page.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += page[..<count]
        }
    }
}
