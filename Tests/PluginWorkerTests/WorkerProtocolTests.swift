// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import Testing

@Suite("A worker that breaks the protocol")
struct WorkerProtocolTests {
    @Test(arguments: [
        ("garbage instead of a greeting", ["GREET=memset(&out, 0xa5, 64); send(CONTROL, &out, 64, 0)"]),
        ("an empty message", ["GREET=send(CONTROL, \"\", 0, 0); wait_for_ever()"]),
        ("two greetings", ["GREET=greet(); greet(); wait_for_ever()"]),
        (
            "a greeting of another version",
            ["GREET=kitw_hello h = {9, 9, getpid(), 0}; answer(KITW_HELLO, 0, &h, sizeof h)"]
        ),
        ("a greeting of another process", ["GREET=kitw_hello h = {1, 0, 1, 0}; answer(KITW_HELLO, 0, &h, sizeof h)"]),
        ("an answer before any greeting", ["GREET=loaded(1); wait_for_ever()"]),
        (
            "another call's id",
            ["BEHAVE=kitw_result r = {0}; answer(KITW_EVENTS_DONE, in.header.call + 1, &r, sizeof r)"]
        ),
        ("another kind of answer", ["BEHAVE=loaded(in.header.call)"]),
        ("an unknown kind", ["BEHAVE=answer(999, in.header.call, \"\", 0)"]),
        (
            "another instance",
            [
                "BEHAVE=kitw_result r = {0}; in.header.instance += 7; answer(KITW_EVENTS_DONE, in.header.call, &r, sizeof r)"
            ]
        ),
        ("a body that is too short", ["BEHAVE=answer(KITW_EVENTS_DONE, in.header.call, \"\", 0)"]),
        (
            "a length that is not its own",
            [
                "BEHAVE=out.header = (kitw_header){KITW_WIRE_VERSION, KITW_EVENTS_DONE, in.header.call, in.header.instance, 4000}; send(CONTROL, &out, 32, 0)"
            ]
        ),
        (
            "a message beyond the bound",
            ["BEHAVE=static char big[70000]; memcpy(big, &in.header, 24); send(CONTROL, big, sizeof big, 0)"]
        ),
        (
            "a name beyond the end",
            ["BEHAVE=kitw_report r = {1, 1, 0, 0, 0, 0, {30, 4000}}; answer(KITW_REPORT, in.header.call, &r, sizeof r)"]
        ),
        (
            "fields beyond the end",
            ["BEHAVE=kitw_report r = {1, 1, 0, 60, 8, 0, {0, 4}}; answer(KITW_REPORT, in.header.call, &r, sizeof r)"]
        ),
        (
            "fields at the end of numbers",
            [
                "BEHAVE=kitw_report r = {1, 1, 0, 60, 0xfffffff8u, 0, {0xffffffffu, 0xffffffffu}}; answer(KITW_REPORT, in.header.call, &r, sizeof r)"
            ]
        ),
        (
            "a decision that nobody asked for",
            ["BEHAVE=kitw_decision d = {0}; answer(KITW_DECISION, in.header.call, &d, sizeof d)"]
        ),
        (
            "a second answer",
            [
                "BEHAVE=kitw_result r = {0}; answer(KITW_EVENTS_DONE, in.header.call, &r, sizeof r); answer(KITW_EVENTS_DONE, in.header.call, &r, sizeof r)"
            ]
        ),
        ("silence and a closed socket", ["BEHAVE=close(CONTROL); wait_for_ever()"]),
    ])
    func isEnded(what: String, stub: [String]) throws {
        let fixture = try WorkerFixture(stub: .program(stub))
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        // What comes after a good answer is noticed when it comes.
        #expect(WorkerFixture.wait { monitor.status.health == .quarantined })
        #expect(monitor.status.faults.map(\.kind) == [.protocol], "\(monitor.status.faults)")
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }

    @Test func neverGreets() throws {
        var deadlines = WorkerFixture.patientDeadlines
        deadlines.load = 30
        let fixture = try WorkerFixture(stub: ["GREET=wait_for_ever()"], deadlines: deadlines)
        let monitor = try fixture.monitor()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.map(\.kind) == [.hang])
        #expect(monitor.status.faults.first?.during == "load")
    }

    @Test func lyingAboutADecisionCostsTheDecision() throws {
        let fixture = try WorkerFixture(stub: [
            "BEHAVE=kitw_decision d = {.evict_count = 1000000000, .evict_offset = 0xfffffff8u}; "
                + "answer(KITW_DECISION, in.header.call, &d, sizeof d)"
        ])
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        let request = PoolRequest(
            kind: .clear, nowMicroseconds: 0, players: [], maxPoolSize: nil, hardMax: nil)
        #expect(throws: PluginFault.self) { try strategy.decide(request) }
        #expect(strategy.status.defaultsUsed == 1)
    }

    @Test func floodingTheSocketStarvesNobody() throws {
        let flood = try WorkerFixture(stub: [
            "BEHAVE=for (;;) { kitw_line l = {2, 0, {0, 8}}; answer(KITW_LOG, 0, &l, sizeof l); }"
        ])
        let good = try WorkerFixture()
        let (noisy, quiet) = (try flood.monitor(), try good.monitor())
        flood.deliver(1, to: noisy)
        #expect(WorkerFixture.wait { !flood.log.isEmpty })
        good.deliver(5, to: quiet)
        #expect(quiet.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(good.count["events"] == .int(5))
        noisy.destroy()
    }

    @Test func aMissingProgramIsNamed() throws {
        let fixture = try WorkerFixture()
        let place = WorkerPlace(fixture.file, executable: "/nowhere/kit-worker") { _, _ in }
        let monitor = try place.makeMonitor(name: "m", options: [], controller: .init(rawValue: 1), actions: .nothing)
        #expect(place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.first?.detail.contains("/nowhere/kit-worker") == true)
    }
}
