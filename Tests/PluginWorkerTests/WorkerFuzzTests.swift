// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("Messages of the host, in kit-worker")
struct WorkerFuzzTests {
    @Test func neverDoHarmWhenDamaged() throws {
        let directory = try TemporaryDirectory()
        let plugin = try WorkerFixture.plugin([], in: directory)
        let program = try CommandLineTool.compile(
            try WorkerFixture.source("fuzz-worker.c"), to: "fuzz-worker", in: directory,
            arguments: WorkerFixture.workerFlags + [
                "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-pthread",
            ])
        let outcome = try CommandLineTool("env").run([
            "ASAN_OPTIONS=detect_leaks=0", program, plugin, "20000",
        ])
        #expect(outcome.status == 0, "\(outcome.output.suffix(2000))")
    }
}
