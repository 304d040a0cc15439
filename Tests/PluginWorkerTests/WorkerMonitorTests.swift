// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import TestSupport
import Testing

@Suite("A monitor in a worker")
struct WorkerMonitorTests {
    @Test func seesEveryEventAndReports() throws {
        let fixture = try WorkerFixture()
        let monitor = try fixture.monitor()
        for size in [1, 10, 700] { fixture.deliver(size, to: monitor) }
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(711))
        #expect(fixture.count["name"] == .string("counter"))
        let status = monitor.status
        #expect(status.health == .running)
        #expect(status.faults.isEmpty)
        #expect(status.eventsDelivered == 711)
        #expect(status.eventsDropped == 0)
        #expect(.int(Int64(status.calls) - 1) == fixture.count["batches"])
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.isEmpty)
        #expect(fixture.log.isEmpty)
    }

    @Test func hasItsOptions() throws {
        let fixture = try WorkerFixture()
        let monitor = try fixture.monitor(
            options: [PluginOption("other", .string("text")), PluginOption("step", .int(5))])
        fixture.deliver(3, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(15))
    }

    @Test func getsOnlyWhatItWants() throws {
        let fixture = try WorkerFixture(["MASK=1ULL<<15,0"])
        let monitor = try fixture.monitor()
        fixture.deliver(4, to: monitor, type: .tick)
        fixture.deliver(5, to: monitor, type: .playIntent)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(4))
        #expect(monitor.interest == EventMask(.tick))
        #expect(monitor.status.eventsDelivered == 4)
    }

    @Test func isToldWhatFoundNoRoom() throws {
        let fixture = try WorkerFixture()
        let monitor = try fixture.monitor()
        fixture.deliver(5000, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(4096))
        #expect(fixture.count["dropped"] == .int(904))
        #expect(monitor.status.eventsDropped == 904)
    }

    @Test func getsLongTextsInSeveralBatches() throws {
        let fixture = try WorkerFixture()
        let monitor = try fixture.monitor()
        fixture.deliver(10, to: monitor, text: String(repeating: "é", count: 10_000))
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["text_bytes"] == .int(200_000))
        #expect(monitor.status.calls == 11)
    }

    @Test func sharesItsWorkerWithOthersOfThePlugin() throws {
        let fixture = try WorkerFixture(["AT_CREATE=char t[32]; sprintf(t, \"pid %d\", getpid()); say(t)"])
        let monitors = try (0..<3).map { try fixture.monitor("m\($0)") }
        for monitor in monitors { fixture.deliver(2, to: monitor) }
        for monitor in monitors { #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience)) }
        #expect(monitors.allSatisfy { $0.status.eventsDelivered == 2 })
        #expect(fixture.log.count == 3)
        #expect(Set(fixture.log).count == 1)
    }

    @Test func isNotWaitedForOnceItIsDestroyed() throws {
        let gate = try TemporaryDirectory()
        let fixture = try WorkerFixture([
            "AT_EVENTS=say(\"in\"); while (access(\"\(gate.file("open"))\", F_OK) != 0) usleep(1000)"
        ])
        let monitor = try fixture.monitor()
        fixture.deliver(3, to: monitor)
        #expect(WorkerFixture.wait { fixture.log == ["in"] })
        monitor.destroy()
        #expect(monitor.finish(withinMilliseconds: 0))
        _ = try gate.write([], to: "open")
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.finish(withinMilliseconds: 0))
        #expect(monitor.status.eventsDropped == 3)
        #expect(monitor.status.eventsDelivered == 0)
        #expect(monitor.status.faults.isEmpty)
    }

    @Test func losesNothingOfALargeBatchWhereTimeCanWait() throws {
        let fixture = try WorkerFixture()
        let plugin = try HostedPlugin(
            inspection: PluginInspector.inspect(path: fixture.file.path), isBuiltin: false, runs: .worker
        ) { [place = fixture.place] _, _ in place }
        let strategy = PluginMonitorStrategy(plugin: plugin, name: "counter", options: [], isLossless: true)
        try strategy.startReplaying(controller: ControllerID(rawValue: 1))
        let events = (0..<10_000).map { index in
            PlayerEvent(.position, session: SessionID(rawValue: 1), time: EventTime(microseconds: Int64(index)))
        }
        strategy.receive(events, reports: fixture.sink)
        #expect(strategy.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(10_000))
        #expect(strategy.status.eventsDropped == 0)
        strategy.strategyDidStop()
    }

    @Test func comesBackInANewWorkerAfterTheLastOneWasDestroyed() throws {
        let fixture = try WorkerFixture()
        for round in 1...2 {
            let monitor = try fixture.monitor()
            fixture.deliver(round, to: monitor)
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
            #expect(fixture.count["events"] == .int(Int64(round)))
            monitor.destroy()
            #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        }
    }

    @Test func printsWhereItDoesNoHarm() throws {
        let fixture = try WorkerFixture(["AT_EVENTS=for (int i = 0; i < 20000; i++) puts(\"flood\"); fflush(stdout)"])
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(2))
        #expect(fixture.log.contains("flood"))
        #expect(fixture.log.count < 20_000)
    }

    @Test func goesOnAfterABadResult() throws {
        let fixture = try WorkerFixture([
            "AT_EVENTS=if (self->batches == 1) { complain(self, KIT_LIMIT, \"too much\"); return KIT_LIMIT; }"
        ])
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(2))
        #expect(monitor.status.health == .running)
        let fault = try #require(monitor.status.faults.first)
        #expect(fault.kind == .error)
        #expect(fault.detail.contains("KIT_LIMIT: too much"))
    }

    @Test func isNotCalledAfterFatal() throws {
        let fixture = try WorkerFixture(["AT_EVENTS=say(\"called\"); return KIT_FATAL"])
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.health == .quarantined)
        #expect(monitor.status.eventsDropped == 1)
        #expect(fixture.log.filter { $0 == "called" }.count == 1)
    }

    @Test func cannotReportOnSessionsItWasNotGiven() throws {
        let fixture = try WorkerFixture(["AT_EVENTS=emit(sink, self, 99)"])
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(1))
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.log.contains { $0.contains("1 reports were cut") })
    }

    @Test func isToldOfForWhatItReportsAtItsEnd() throws {
        let fixture = try WorkerFixture([
            "AT_EVENTS=memcpy(self->name, &sink, sizeof sink)",
            "AT_DESTROY=const kit_report_sink_v1 *kept; memcpy(&kept, ((counter *)self)->name, sizeof kept); kept->emit(kept, NULL)",
        ])
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.reportsCut == 0)
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.reportsCut == 1)
    }

    @Test func cannotReportWhatBreaksTheGrammar() throws {
        let fixture = try WorkerFixture([
            "AT_EVENTS=kit_report_v1 bad = {sizeof bad, 1, 1, 0, {\"Bad Name\", 8}, 0, 0, 0}; "
                + "char t[32]; sprintf(t, \"result %d\", sink->emit(sink, &bad)); say(t)"
        ])
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.log == ["result -1"])
        #expect(fixture.count["events"] == .int(1))
    }
}
