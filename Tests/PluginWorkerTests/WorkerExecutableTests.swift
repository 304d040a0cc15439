// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PluginHost
import Sessions
import Testing

@Suite("The worker's program")
struct WorkerExecutableTests {
    @Test func isFoundBesideTheExecutableAndRuns() throws {
        let fixture = try WorkerFixture()
        let found = try WorkerExecutable.find()
        #expect(found.hasSuffix("/kit-worker"))
        let place = WorkerPlace(fixture.file, executable: found, deadlines: WorkerFixture.patientDeadlines) { _, _ in }
        let monitor = try place.makeMonitor(
            name: "m", options: [], controller: ControllerID(rawValue: 1), actions: .nothing)
        fixture.deliver(3, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(3))
    }

    @Test func isMissedWithThePlacesLookedIn() {
        let error = #expect(throws: PluginError.self) { try WorkerExecutable.find(given: "/nowhere/kit-worker") }
        #expect(error?.stage == .worker)
        #expect(error?.message.contains("/nowhere/kit-worker") == true)
    }

    @Test func isBlamedIfItEndsBeforeItGreets() throws {
        let fixture = try WorkerFixture()
        let place = WorkerPlace(fixture.file, executable: "/bin/false", deadlines: WorkerFixture.patientDeadlines) {
            _, _ in
        }
        let monitor = try place.makeMonitor(
            name: "m", options: [], controller: ControllerID(rawValue: 1), actions: .nothing)
        #expect(place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        let fault = try #require(monitor.status.faults.first)
        #expect(fault.kind == .error)
        #expect(fault.detail.contains("/bin/false") && fault.detail.contains("exit code 1"))
    }

    @Test func isNoDirectory() {
        #expect(throws: PluginError.self) { try WorkerExecutable.find(given: "/tmp") }
    }
}
