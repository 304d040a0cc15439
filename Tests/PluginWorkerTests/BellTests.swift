// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MediaCore
import PluginHost
import Sessions
import TestSupport
import Testing

/// The descriptor by which a worker wakes the host.
@Suite struct BellTests {
    /// Files by which this test and its workers tell each other how far they are.
    private struct Signs: Sendable {
        let directory: TemporaryDirectory

        init() throws {
            directory = try TemporaryDirectory()
        }

        var define: String { "SIGNS=\"\(directory.path)\"" }

        func give(_ name: String) throws {
            _ = try directory.write([], to: name)
        }

        func await(_ name: String) {
            #expect(WorkerFixture.wait { FileManager.default.fileExists(atPath: directory.file(name)) }, "\(name)")
        }
    }

    /// The supervisor is held, by the log, between its look at the thief's bell and its reading of it. In a process of its own, since it
    /// serves everybody in this one.
    @Test("a worker that makes its bell one to wait at, and empties it before the host reads, makes nobody wait")
    func emptied() async {
        await #expect(processExitsWith: .success) {
            let signs = try Signs()
            let (isHeld, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let printer = try WorkerFixture(
                stub: .program([
                    signs.define,
                    "BEHAVE=puts(\"one\"); fflush(stdout); await_sign(\"print\"); puts(\"two\"); fflush(stdout); sign(\"printed\"); await_sign(\"done\"); _exit(0)",
                ]),
                hear: { line in
                    guard ["one", "two"].contains(line) else { return }
                    isHeld.signal()
                    goesOn.wait()
                })
            // Of a pipe it opens an end to read from; another thing is that itself.
            let thief = try WorkerFixture(
                stub: .program([
                    signs.define,
                    "BEHAVE=uint64_t one = 1; sign(\"ready\"); await_sign(\"ring\"); fcntl(KITW_BELL_DESCRIPTOR, F_SETFL, 0); write(KITW_BELL_DESCRIPTOR, &one, 8); sign(\"rung\"); await_sign(\"steal\"); int end = open(\"/proc/self/fd/4\", O_RDONLY | O_NONBLOCK); read(end < 0 ? KITW_BELL_DESCRIPTOR : end, &one, 8); sign(\"stolen\"); await_sign(\"done\"); _exit(0)",
                ]))
            // In this order the supervisor reads of them.
            let (first, second) = (try printer.monitor(), try thief.monitor())
            thief.deliver(1, to: second)
            signs.await("ready")
            printer.deliver(1, to: first)
            isHeld.wait()
            try signs.give("ring")
            signs.await("rung")
            try signs.give("print")
            signs.await("printed")
            goesOn.signal()
            isHeld.wait()
            try signs.give("steal")
            signs.await("stolen")
            goesOn.signal()
            let good = try WorkerFixture()
            let third = try good.monitor()
            good.deliver(1, to: third)
            #expect(third.finish(withinMilliseconds: WorkerFixture.patience))
            try signs.give("done")
            for monitor in [first, second] {
                #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
                #expect(monitor.status.faults.map(\.kind) == [.exit])
            }
        }
    }
}
