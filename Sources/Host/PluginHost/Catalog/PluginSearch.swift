// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What is found in the directories of strangers' plugins. Files are read and none is run.
///
/// A directory is looked at by itself, without those in it. Looked at are files whose names end in `.so` and begin with no dot, links to
/// such files included, in the order of their names; a library that does not say that it is a plugin is passed over, since plugins may
/// have helpers beside them. A file or directory that is met again is passed over as well.
package struct PluginSearch: Sendable {
    /// A file that is or may be a plugin.
    package struct Found: Sendable {
        package var inspection: PluginInspection
        /// The file with the same id that came before it and is used in its place; nil if there is none.
        package var shadowedBy: String?
    }

    /// A directory that is there and cannot be looked at.
    package struct Obstacle: Hashable, Sendable {
        package var directory: String
        /// Without a full stop.
        package var reason: String
        /// It is not that its user may not read it: it is no directory, or a link that leads nowhere.
        package var isMistake: Bool
    }

    /// In the order in which they were found.
    package private(set) var found: [Found] = []
    package private(set) var obstacles: [Obstacle] = []

    /// - Parameters:
    ///   - directories: in their order; one that is not there is as good as an empty one.
    ///   - allowsInsecurePaths: takes files that other users could have changed.
    package init(_ directories: [String], allowsInsecurePaths: Bool) {
        let policy = LoadPolicy(origin: .stranger, allowsInsecurePath: allowsInsecurePaths)
        var (seenDirectories, seenFiles) = (Set<FileNode>(), Set<FileNode>())
        var firsts: [String: String] = [:]
        for directory in directories {
            for path in files(in: directory, &seenDirectories) {
                if let status = try? FileStatus(path: path) {
                    guard status.kind == S_IFREG, seenFiles.insert(FileNode(status)).inserted else { continue }
                }
                let inspection = PluginInspector.inspect(path: path, policy: policy)
                if inspection.refusal?.code == .noNote { continue }
                var found = Found(inspection: inspection)
                if let id = inspection.note?.id {
                    found.shadowedBy = firsts[id]
                    firsts[id] = firsts[id] ?? path
                }
                self.found.append(found)
            }
        }
    }

    /// The file that has an id; of several the first, accepted or not, so that what runs does not depend on what is wrong with it.
    package subscript(id: String) -> Found? {
        found.first { $0.inspection.note?.id == id }
    }

    /// The ids of the accepted files of one kind that are used, in the order in which they were found.
    package func ids(of kind: PluginNote.Kinds) -> [String] {
        found.filter { $0.shadowedBy == nil && $0.inspection.refusal == nil }.compactMap(\.inspection.note)
            .filter { $0.kinds.contains(kind) }.map(\.id)
    }

    /// The files that have an id too and are not used.
    package func shadowed(by path: String) -> [String] {
        found.filter { $0.shadowedBy == path }.map(\.inspection.path)
    }

    /// Why a directory cannot be looked at; nil if it can, or is not there.
    package static func obstacle(of directory: String) -> Obstacle? {
        do throws(SystemFailure) {
            guard try FileStatus(path: directory).kind == S_IFDIR else {
                return Obstacle(directory: directory, reason: "it is no directory", isMistake: true)
            }
            _ = try Directory.names(in: directory)
            return nil
        } catch {
            switch error.number {
            case ENOENT: return nil
            case EACCES, EPERM: return Obstacle(directory: directory, reason: "\(error)", isMistake: false)
            default: return Obstacle(directory: directory, reason: "\(error)", isMistake: true)
            }
        }
    }

    private mutating func files(in directory: String, _ seen: inout Set<FileNode>) -> [String] {
        if let obstacle = PluginSearch.obstacle(of: directory) {
            obstacles.append(obstacle)
            return []
        }
        guard let status = try? FileStatus(path: directory), seen.insert(FileNode(status)).inserted else { return [] }
        return Directory.entries(of: directory).filter { $0.hasSuffix(".so") && !$0.hasPrefix(".") }.sorted()
            .map { "\(directory)/\($0)" }
    }

    /// What stays the same however a file is reached and whatever is written to it.
    private struct FileNode: Hashable {
        var device: UInt64
        var inode: UInt64

        init(_ status: FileStatus) {
            (device, inode) = (status.identity.device, status.identity.inode)
        }
    }
}
