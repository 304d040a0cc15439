// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PluginHost
import Sessions
import TestSupport
import Testing

@Suite("Workers that come and go")
struct WorkerLeakTests {
    /// In a process of its own, so that nothing else comes and goes there.
    @Test func leaveNoDescriptorThreadOrZombie() async {
        await #expect(processExitsWith: .success) {
            let fixture = try WorkerFixture(["AT_EVENTS=if (self->batches == 2) crash()"])
            try WorkerLeakTests.cycle(fixture, batches: 1)
            // Foundation and Dispatch come and go with a few of their own; a leak would be there a hundred times.
            let (descriptors, threads) = (ProcessResources.descriptorCount + 20, ProcessResources.threadCount + 20)
            for round in 0..<100 { try WorkerLeakTests.cycle(fixture, batches: round % 4 == 0 ? 2 : 1) }
            #expect(ProcessResources.descriptorCount < descriptors)
            #expect(ProcessResources.threadCount < threads)
            let child = waitpid(-1, nil, WNOHANG)
            #expect(child == -1)
            #expect(errno == ECHILD)
        }
    }

    /// One plugin that crashes again and again, and is started again each time.
    @Test func aThousandCrashesLeaveNothing() async {
        await #expect(processExitsWith: .success) {
            let fixture = try WorkerFixture(
                ["AT_EVENTS=if (batch->event_count == 2) crash()"], restarts: RestartPolicy(limit: .max, delays: [0]))
            let monitor = try fixture.monitor()
            func crash(_ times: Int) {
                for _ in 0..<times {
                    for count in [1, 2] {
                        fixture.deliver(count, to: monitor)
                        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
                    }
                }
            }
            crash(100)
            let (descriptors, threads, memories) = (
                ProcessResources.descriptorCount, ProcessResources.threadCount,
                ProcessResources.mappedCount("kit-worker")
            )
            var growth = Int.max
            // The allocator takes and gives back; what leaks adds to every round.
            for _ in 0..<3 where growth > 1 << 20 {
                let resident = ProcessResources.residentBytes
                crash(900)
                growth = ProcessResources.residentBytes - resident
            }
            #expect(monitor.status.health == .running || monitor.status.health == .backoff)
            #expect(monitor.status.eventsDelivered >= 1000)
            #expect(monitor.status.eventsDropped == 2 * monitor.status.eventsDelivered)
            #expect(ProcessResources.descriptorCount <= descriptors + 2)
            #expect(ProcessResources.threadCount <= threads)
            #expect(ProcessResources.mappedCount("kit-worker") <= memories + 1)
            // Little more than one KiB for each.
            #expect(growth <= 1 << 20)
            monitor.destroy()
            #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
            let child = waitpid(-1, nil, WNOHANG)
            #expect(child == -1 && errno == ECHILD)
        }
    }

    @Test func takeLessThanFourMebibytes() async {
        await #expect(processExitsWith: .success) {
            let fixture = try WorkerFixture()
            let monitor = try fixture.monitor()
            fixture.deliver(1000, to: monitor)
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
            let worker = try #require(ChildProcess.children(of: getpid()).first)
            let size = ProcessResources.residentBytes(of: worker)
            #expect(size > 0 && size < 4 << 20, "\(size) bytes")
            monitor.destroy()
        }
    }

    @Test func endWithTheirHostAlsoInMidCall() async throws {
        let directory = try TemporaryDirectory()
        let note = directory.file("pid")
        await #expect(processExitsWith: .signal(SIGKILL)) { [note = note as String] in
            let fixture = try WorkerFixture(
                [
                    "AT_EVENTS=FILE *f = fopen(\"\(note)\", \"w\"); fprintf(f, \"%d.\", getpid()); fclose(f); hang()"
                ], grants: .everything)
            let monitor = try fixture.monitor()
            fixture.deliver(1, to: monitor)
            #expect(WorkerFixture.wait { WorkerLeakTests.pid(in: note) != nil })
            kill(getpid(), SIGKILL)
        }
        let worker = try #require(WorkerLeakTests.pid(in: note))
        #expect(
            WorkerFixture.wait {
                // Gone, or a zombie of whoever adopts orphans here.
                let stat = try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8)
                return stat.map { $0.contains(") Z") } ?? true
            })
    }

    /// The number that ends with a full stop.
    private static func pid(in file: String) -> Int? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8), text.hasSuffix(".") else { return nil }
        return Int(text.dropLast())
    }

    /// Makes a worker, feeds it and ends it; the second batch kills it.
    private static func cycle(_ fixture: WorkerFixture, batches: Int) throws {
        let place = WorkerPlace(
            fixture.file, executable: try WorkerFixture.executable.get(), deadlines: WorkerFixture.patientDeadlines
        ) { _, _ in }
        let monitor = try place.makeMonitor(
            name: "m", options: [], controller: ControllerID(rawValue: 1), actions: .nothing)
        for _ in 0..<batches {
            fixture.deliver(1, to: monitor)
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        }
        #expect(monitor.status.faults.count == batches - 1)
        monitor.destroy()
        #expect(place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }
}
