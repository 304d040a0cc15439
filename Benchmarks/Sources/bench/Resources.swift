// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What this process holds now.
enum Resources {
    static var threads: Int { entries("/proc/self/task") }
    static var descriptors: Int { entries("/proc/self/fd") }

    static var residentKibibytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }

    private static func entries(_ directory: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: directory).count) ?? 0
    }
}
