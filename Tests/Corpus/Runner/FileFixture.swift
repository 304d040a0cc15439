// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

/// Fixtures that no compiler makes: other things at a path, and a good plugin with some bytes changed.
enum FileFixture {
    /// Makes it and gives the path to name to a host.
    static func make(_ name: String, in directory: String) throws -> String {
        let path = "\(directory)/bad.so"
        switch name {
        case "missing": break
        case "empty": try write([], to: path)
        case "text": try write(Array("just some words\n".utf8), to: path)
        case "long_text": try write(Array(String(repeating: "text ", count: 1000).utf8), to: path)
        case "script": try write(Array("#!/bin/sh\n".utf8), to: path)
        case "directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "fifo": try check(unsafe mkfifo(path, 0o600), path)
        case "socket": try bindSocket(at: path)
        case "device": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        case "dangling":
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(directory)/absent.so")
        default: return try changed(name, in: directory, path)
        }
        return path
    }

    /// A good plugin that was changed.
    private static func changed(_ name: String, in directory: String, _ path: String) throws -> String {
        try Fixture.compile("plugin.c", [], to: path)
        var editor = ElfEditor(try ElfEditor.contents(of: path))
        switch name {
        case "unreadable":
            guard geteuid() != 0 else { throw Skip(why: "root reads every file") }
            try check(unsafe chmod(path, 0), path)
            return path
        case "writable_by_all":
            try check(unsafe chmod(path, 0o777), path)
            return path
        case "directory_of_all":
            let open = "\(directory)/open"
            try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: false)
            try FileManager.default.moveItem(atPath: path, toPath: "\(open)/bad.so")
            try check(unsafe chmod(open, 0o777), open)
            return "\(open)/bad.so"
        case "other_owner":
            guard geteuid() == 0 else { throw Skip(why: "only root gives files away") }
            try check(unsafe chown(path, 65534, 65534), path)
            return path
        case "class_32": editor.bytes[4] = 1
        case "big_endian": editor.bytes[5] = 2
        case "other_machine": editor.set(UInt16(243), at: 18)
        case "core_file": editor.set(UInt16(4), at: 16)
        case "cut_header": editor.bytes = Array(editor.bytes.prefix(40))
        case "cut_after_headers": editor.bytes = Array(editor.bytes.prefix(2000))
        case "cut_in_segment":
            guard let last = editor.segments(1).last else { throw CocoaError(.fileReadCorruptFile) }
            let (offset, size) = (editor.get(UInt64.self, at: last + 8), editor.get(UInt64.self, at: last + 32))
            editor.bytes = Array(editor.bytes.prefix(Int(offset + size / 2)))
        case "text_relocations":
            // The count of relative relocations is a hint that the loader can do without.
            guard let count = editor.dynamic(0x6FFF_FFF9) else { throw CocoaError(.fileReadCorruptFile) }
            editor.set(Int64(22), at: count - 8)
        case "newer_glibc":
            let version = Array("GLIBC_2.".utf8)
            let places = editor.bytes.count - version.count
            guard let place = (0..<places).first(where: { editor.bytes[$0...].starts(with: version) }) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            editor.bytes[place + version.count - 2] = UInt8(ascii: "9")
        case "note_lengths": editor.set(UInt32.max, at: try editor.note(1) + 16 + 7 * 4)
        default: throw CommandLineTool.Failure(description: "corpus.txt: there is no file '\(name)'")
        }
        try write(editor.bytes, to: path)
        return path
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
        try check(unsafe chmod(path, 0o755), path)
    }

    private static func check(_ status: Int32, _ path: String) throws {
        guard status == 0 else {
            throw CommandLineTool.Failure(description: "\(path): \(unsafe String(cString: strerror(errno)))")
        }
    }

    /// A socket's name has at most 107 bytes; a short one is made and moved.
    private static func bindSocket(at path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let short = FileManager.default.temporaryDirectory.path + "/corpus-\(getpid()).socket"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: short.utf8) }
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try check(status, short)
        try check(unsafe rename(short, path), path)
    }
}
