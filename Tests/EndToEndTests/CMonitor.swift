// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport

/// The example plugin in C, as it is and with changes, built with the C compiler alone.
enum CMonitor {
    static let id = "com.example.counter"

    /// As it is; built once.
    static func path() throws -> String { try asItIs.get().path }

    /// A changed copy.
    ///
    /// - Parameters:
    ///   - change: made to its text.
    ///   - batch: what it does at the beginning of a batch, where `calls` counts batches from 1 and `batch` is the batch.
    ///   - constructor: what it does while it is loaded.
    static func build(
        in directory: TemporaryDirectory, as name: String = "libcopy.so", id: String = id, abi: Int = 1,
        batch: String = "", constructor: String = "", destroy: String = ""
    ) throws -> String {
        var text = try String(contentsOf: source, encoding: .utf8)
        try replace("#include <stdlib.h>", by: "\(headers)\n#include <stdlib.h>", in: &text)
        try replace(
            "KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, 0, 0, 0, \"\(Self.id)\"",
            by: "KIT_PLUGIN_NOTE_ABI(\(abi), 0, KIT_KIND_MONITOR, 0, 0, 0, \"\(id)\"", in: &text)
        try replace(
            "  int has_ended = 0;\n", by: "  int has_ended = 0;\n  static int calls;\n  calls++;\n  \(batch)\n",
            in: &text)
        try replace("destroy(void *self) { ", by: "destroy(void *self) { \(destroy) ", in: &text)
        text += "\n__attribute__((constructor)) static void at_load(void) { \(constructor) }\n"
        return try CommandLineTool.compile(
            text, to: name, in: directory,
            arguments: ["-shared", "-fPIC", "-fvisibility=hidden", "-D_GNU_SOURCE", "-w"])
    }

    /// C text that does something at each event of a type; how events are cut into batches depends on the machine.
    static func at(_ type: String, _ body: String) -> String {
        """
        for (uint32_t i = 0; i < batch->event_count; i++) {
          const kit_event_v1 *event = element(batch->events, batch->event_stride, i);
          if (event->type == \(type)) { \(body) }
        }
        """
    }

    /// What lets a changed copy do what `mark` does.
    static let grant = ["--grant", "\(id):all"]

    /// C text that leaves an empty file behind.
    static func mark(_ path: String) -> String {
        "close(open(\"\(path)\", O_WRONLY | O_CREAT, 0600));"
    }

    /// C text that reads a null pointer.
    ///
    /// The signal's default first: under a sanitizer the worker has a handler that would turn the signal into an exit.
    static let crash = "signal(SIGSEGV, SIG_DFL); *(volatile int *)0 = 1;"

    private static let headers = "#include <fcntl.h>\n#include <signal.h>\n#include <unistd.h>"
    private static let source = Kitshell.root.appending(path: "Examples/c-monitor/c-monitor.c")

    private static func replace(_ old: String, by new: String, in text: inout String) throws {
        guard text.contains(old) else {
            throw CommandLineTool.Failure(description: "\(source.path) has no '\(old)' to change")
        }
        text = text.replacing(old, with: new)
    }

    private struct Built {
        /// Keeps the file.
        var directory: TemporaryDirectory
        var path: String
    }

    private static let asItIs = Result<Built, any Error> {
        let directory = try TemporaryDirectory()
        let path = try CommandLineTool.compile(
            try String(contentsOf: source, encoding: .utf8), to: "libcmonitor.so", in: directory,
            arguments: [
                "-std=c11", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-shared", "-fPIC",
                "-fvisibility=hidden",
            ])
        return Built(directory: directory, path: path)
    }
}

extension Report {
    /// The record of the example plugin in a session.
    func count(_ name: String = CMonitor.id, session: Int = 0) -> JSONValue? {
        guard session < sessions.count else { return nil }
        return sessions[session]["plugins"]?[name]?["event_count"]
    }
}
