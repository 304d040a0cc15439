// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import Testing

@Suite("A worker that breaks the protocol")
struct WorkerProtocolTests {
    @Test(arguments: [
        ("garbage instead of a greeting", ["GREET=memset(&out, 0xa5, 64); raw(&out, 64)"]),
        ("zeroes", ["GREET=raw(&out, 24); wait_for_ever()"]),
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
                "BEHAVE=out.header = (kitw_header){KITW_WIRE_VERSION, KITW_EVENTS_DONE, in.header.call, in.header.instance, 4000}; raw(&out, 32)"
            ]
        ),
        (
            "a message beyond the bound",
            [
                "BEHAVE=static char big[70000]; kitw_header h = {KITW_WIRE_VERSION, KITW_LOG, 0, 0, 69976}; memcpy(big, &h, 24); raw(big, sizeof big)"
            ]
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
            "a decision in the ring",
            ["BEHAVE=kitw_decision d = {0}; answer(KITW_DECISION, in.header.call, &d, sizeof d)"]
        ),
        ("a position that goes back", ["BEHAVE=kitw_store64(&worker->written, 8); ring_bell(); wait_for_ever()"]),
        (
            "a position beyond the ring",
            ["BEHAVE=kitw_store64(&worker->written, written + KITW_TO_HOST_SIZE + 8); ring_bell(); wait_for_ever()"]
        ),
        ("the last position there is", ["BEHAVE=kitw_store64(&worker->written, ~0ull); ring_bell(); wait_for_ever()"]),
        (
            "a position between two messages",
            ["BEHAVE=kitw_store64(&worker->written, written + 4); ring_bell(); wait_for_ever()"]
        ),
        (
            "a message beyond what was written",
            [
                "BEHAVE=kitw_header h = {KITW_WIRE_VERSION, KITW_LOG, 0, 0, 4000}; raw(&h, 24); wait_for_ever()"
            ]
        ),
        (
            "a skip beyond what was written",
            ["BEHAVE=kitw_header h = {KITW_WIRE_VERSION, KITW_SKIP, 0, 0, 0}; raw(&h, 24); wait_for_ever()"]
        ),
        (
            "a second answer",
            [
                "BEHAVE=kitw_result r = {0}; answer(KITW_EVENTS_DONE, in.header.call, &r, sizeof r); answer(KITW_EVENTS_DONE, in.header.call, &r, sizeof r)"
            ]
        ),
        ("two words on what keeps the plugin in", ["LOAD=walls(KITW_WALL_CALLS); walls(15); wait_for_ever()"]),
        ("no word on what keeps the plugin in", ["LOAD=loaded(in.header.call); wait_for_ever()"]),
        ("an end because of the host", ["BEHAVE=kitw_store32(&worker->has_rejected, 1); _exit(KITW_EXIT_PROTOCOL)"]),
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

    @Test("the first word on what keeps a plugin in is the one that counts, and comes before anything of it runs")
    func walls() throws {
        let forger = try WorkerFixture(stub: ["LOAD=walls(KITW_WALL_CALLS); walls(15); loaded(in.header.call)"])
        let first = try forger.monitor()
        #expect(WorkerFixture.wait { first.status.health == .quarantined })
        #expect(forger.place.sandbox?.extent == "partial")
        let fallen = try WorkerFixture(["AT_LOAD=crash()"])
        let second = try fallen.monitor()
        #expect(WorkerFixture.wait { second.status.health == .quarantined })
        #expect(fallen.place.sandbox?.extent == "full")
    }

    @Test("a worker that does not end when it is told to is killed, and that is told")
    func ignoresStop() throws {
        var deadlines = WorkerFixture.patientDeadlines
        deadlines.destroy = 500
        let fixture = try WorkerFixture(
            stub: [
                "BEHAVE=kitw_result r = {0}; answer(in.header.kind == KITW_DESTROY ? KITW_DESTROYED : KITW_EVENTS_DONE, in.header.call, &r, sizeof r)",
                "STOP=wait_for_ever()",
            ], deadlines: deadlines)
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.map(\.kind) == [.hang])
        #expect(monitor.status.faults.first?.during == "stop")
    }

    @Test("a worker that crashes when it is told to end is told of")
    func crashesAtStop() throws {
        let fixture = try WorkerFixture(stub: [
            "BEHAVE=kitw_result r = {0}; answer(in.header.kind == KITW_DESTROY ? KITW_DESTROYED : KITW_EVENTS_DONE, in.header.call, &r, sizeof r)",
            "STOP=_exit(9)",
        ])
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.map(\.kind) == [.exit])
        #expect(monitor.status.faults.first?.during == "stop")
    }

    @Test("a worker that tells of more denials than there can be is ended")
    func floodOfDenials() throws {
        let fixture = try WorkerFixture(stub: [
            "BEHAVE=for (int i = 0; i < 1000; i++) { kitw_line l = {2, 0, {0, 0}}; answer(KITW_DENIED, 0, &l, sizeof l); }"
        ])
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(WorkerFixture.wait { monitor.status.health == .quarantined })
        // The faults that are not listed are told with the last of them.
        #expect(monitor.status.faults.last?.kind == .protocol)
        #expect(fixture.log.count { $0.contains(" denied ") } == 256)
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

    @Test(
        "an answer that is none costs the decision, and the worker",
        arguments: [
            "kitw_decision d = {.evict_count = 1000000000, .evict_offset = 0xfffffff8u}; compose(KITW_DECISION, in.header.call, &d, sizeof d); decided()",
            "kitw_decision d = {0}; compose(KITW_CREATED, in.header.call, &d, sizeof d); decided()",
            "kitw_decision d = {0}; in.header.instance = 99; compose(KITW_DECISION, in.header.call, &d, sizeof d); decided()",
            "compose(KITW_DECISION, in.header.call, \"\", 0); decided()",
            "compose(KITW_DECISION, in.header.call, \"\", 0); out.header.length = 0xffffffffu; decided()",
            "kitw_decision d = {.said = {0xfffffff0u, 0xfffffff0u}}; compose(KITW_DECISION, in.header.call, &d, sizeof d); decided()",
        ])
    func lyingAboutADecision(decide: String) throws {
        let fixture = try WorkerFixture(stub: .program(["DECIDE=\(decide)"]))
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        #expect(throws: PluginFault.self) { try strategy.decide(WorkerProtocolTests.clear) }
        #expect(strategy.status.defaultsUsed == 1)
        #expect(strategy.status.faults.first?.kind == .protocol)
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }

    /// It keeps whoever waits awake for as long as a decision may take, and no longer.
    @Test("answers that are never the wanted one are late")
    func neverTheWantedAnswer() throws {
        var deadlines = WorkerFixture.patientDeadlines
        deadlines.decide = 20
        let fixture = try WorkerFixture(
            stub: ["DECIDE=for (;;) kitw_add32(&worker->answered), worker->answered |= 0x40000000u"],
            deadlines: deadlines)
        let strategy = try fixture.place.makeLifecycle(name: "pool", options: [])
        #expect(strategy.waitUntilStarted(withinMilliseconds: WorkerFixture.patience))
        for _ in 0..<3 {
            #expect(throws: PluginFault.self) { try strategy.decide(WorkerProtocolTests.clear) }
        }
        #expect(strategy.status.faults.prefix(3).map(\.kind) == [.hang, .hang, .hang])
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }

    private static let clear = PoolRequest(
        kind: .clear, nowMicroseconds: 0, players: [], maxPoolSize: nil, hardMax: nil)

    @Test func floodingTheRingStarvesNobody() throws {
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
