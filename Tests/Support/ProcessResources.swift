// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What this process owns, as the kernel tells it.
package enum ProcessResources {
    /// The names of its threads that begin with one of these.
    package static func threads(named beginnings: String...) -> [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return names.map { $0.trimmingCharacters(in: .newlines) }.filter { name in
            beginnings.contains { name.hasPrefix($0) }
        }
    }

    /// Open descriptors, with the one that this looks at; -1 if it cannot be told.
    package static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
    }

    /// Its threads; -1 if it cannot be told.
    package static var threadCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? -1
    }

    /// Bytes of its memory that are present; 0 if it cannot be told.
    package static var residentBytes: Int { residentBytes(of: getpid()) }

    /// The same of another process.
    package static func residentBytes(of id: Int32) -> Int {
        let fields = (try? String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }

    /// How many of its mappings are of files whose name has this in it.
    package static func mappedCount(_ name: String) -> Int {
        ChildProcess.mappedFiles(of: getpid()).count { $0.contains(name) }
    }

    /// How many of its descriptors are those of a file.
    package static func descriptors(of path: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }
}
