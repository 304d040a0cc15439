// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import Synchronization
import TestSupport
import Testing

extension ActionPort {
    /// For instances that ask for nothing.
    static var nothing: ActionPort { ActionPort(instance: "", isGranted: false) { _, _ in } }
}

@Suite("Requests for actions in a worker")
struct WorkerActionTests {
    /// Keeps what was asked for.
    private final class Asked: Sendable {
        private let requests = Mutex<[ActionRequest]>([])

        var all: [ActionRequest] { requests.withLock { $0 } }

        func port(isGranted: Bool) -> ActionPort {
            ActionPort(instance: "counter", isGranted: isGranted) { request, _ in
                self.requests.withLock { $0.append(request) }
            }
        }
    }

    /// Asks at every batch and says the answer.
    private static func asking(_ arguments: String) -> String {
        "AT_EVENTS=char line[32]; snprintf(line, 32, \"answer %d\", host->request_action(host, self, \(arguments))); say(line)"
    }

    private func monitor(_ fixture: WorkerFixture, _ port: ActionPort) throws -> any MonitorInstance {
        try fixture.place.makeMonitor(
            name: "counter", options: [], controller: ControllerID(rawValue: 1), actions: port)
    }

    @Test(arguments: [
        ("1, 9, KIT_ACTION_PAUSE, 0", KitResult.ok, 1), ("1, 9, KIT_ACTION_SEEK, 5", .ok, 1),
        ("1, 9, KIT_ACTION_SEEK, -5", .badArgument, 0), ("1, 9, KIT_ACTION_STOP, 5", .badArgument, 0),
        ("0, 9, KIT_ACTION_STOP, 0", .badArgument, 0), ("1, 0, KIT_ACTION_STOP, 0", .badArgument, 0),
        ("1, 9, 77, 0", .unsupported, 0), ("1, 9, -1, 0", .unsupported, 0),
    ])
    func areJudgedInTheWorkerAsInThisProcess(arguments: String, answer: KitResult, count: Int) throws {
        let fixture = try WorkerFixture([WorkerActionTests.asking(arguments)])
        let asked = Asked()
        let monitor = try monitor(fixture, asked.port(isGranted: true))
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.log == ["answer \(answer.rawValue)"])
        #expect(asked.all.count == count)
        #expect(asked.all.allSatisfy { $0.instance == "counter" && $0.session.rawValue == 1 && $0.trigger == 9 })
        #expect(monitor.status.faults.isEmpty)
    }

    @Test func thatAreNotGrantedAreDeniedThereAndAFaultHere() throws {
        let fixture = try WorkerFixture([WorkerActionTests.asking("1, 9, KIT_ACTION_PAUSE, 0")])
        let asked = Asked()
        let monitor = try monitor(fixture, asked.port(isGranted: false))
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.log.contains("answer \(KitResult.denied.rawValue)"))
        #expect(asked.all.count == 1)
        #expect(monitor.status.faults.map(\.kind) == [.denied])
        #expect(monitor.status.health == .running)
    }

    @Test func areLimitedOnBothSides() throws {
        let fixture = try WorkerFixture([
            "AT_EVENTS=for (int i = 0; i < 1000; i++) host->request_action(host, self, 1, 9, KIT_ACTION_PAUSE, 0)"
        ])
        let asked = Asked()
        let monitor = try monitor(fixture, asked.port(isGranted: true))
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(asked.all.count == ActionPort.maxPerSession)
        monitor.deliver(
            [PlayerEvent(.tick, session: SessionID(rawValue: 2))], reports: fixture.sink)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(asked.all.count == 2 * ActionPort.maxPerSession)
    }

    @Test func aWorkerThatLiesIsJudgedHere() throws {
        let fixture = try WorkerFixture(stub: [
            "BEHAVE=kitw_action a = {9, 0, 1, 77}; answer(KITW_ACTION, 0, &a, sizeof a); a.action = 1; "
                + "for (int i = 0; i < 1000; i++) { a.session = 1 + i; answer(KITW_ACTION, 0, &a, sizeof a); } "
                + "in.header.instance = 99; answer(KITW_ACTION, 0, &a, sizeof a); in.header.instance = 1; "
                + "kitw_result r = {0, 0}; answer(KITW_EVENTS_DONE, in.header.call, &r, sizeof r)"
        ])
        let asked = Asked()
        let monitor = try monitor(fixture, asked.port(isGranted: false))
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(asked.all.count == ActionPort.maxPerSession)
        #expect(monitor.status.faults.allSatisfy { $0.kind == .denied })
    }

    @Test func aShortMessageBreaksTheProtocol() throws {
        let fixture = try WorkerFixture(stub: [
            "BEHAVE=kitw_action a = {9, 0, 1, 1}; answer(KITW_ACTION, 0, &a, 8)"
        ])
        let monitor = try monitor(fixture, .nothing)
        fixture.deliver(1, to: monitor)
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.map(\.kind) == [.protocol])
    }
}
