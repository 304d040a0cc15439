// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PluginHost
import Sessions
import TestSupport
import Testing

private let controller = ControllerID(rawValue: 7)

/// A fixture's monitor, ready to be fed.
struct Fed {
    let directory: TemporaryDirectory
    let log = CapturedLog()
    let reports = CapturedReports()
    let monitor: any MonitorInstance

    init(
        _ fixture: FixturePlugin, origin: LoadPolicy.Origin = .stranger, compiler: String = "cc",
        deadlines: CallDeadlines = CallDeadlines(), options: [PluginOption] = [], actions: ActionPort = .nothing
    ) throws {
        directory = try TemporaryDirectory()
        let file = try fixture.build(in: directory, origin: origin, compiler: compiler)
        let place = try InProcessPlace(file, deadlines: deadlines, log: log.sink)
        monitor = try place.makeMonitor(name: "fixture", options: options, controller: controller, actions: actions)
    }

    func deliver(_ events: [PlayerEvent]) {
        monitor.deliver(events, reports: reports.sink)
    }

    func finish() -> Bool {
        monitor.finish(withinMilliseconds: patience)
    }
}

@Suite("monitors in this process")
struct MonitorTests {
    @Test("events arrive in order and reports come back", arguments: [LoadPolicy.Origin.builtIn, .stranger])
    func delivery(origin: LoadPolicy.Origin) throws {
        var fixture = FixturePlugin()
        fixture.onEvents = """
            for (uint32_t i = 0; i < batch->event_count; i++) {
              const kit_event_v1 *e = (const void *)((const char *)batch->events + i * batch->event_stride);
              if (occur(sink, e->session, "seen", (int64_t)e->sequence)) return KIT_INTERNAL;
            }
            return occur(sink, 1, "controller", batch->controller);
            """
        let fed = try Fed(fixture, origin: origin)
        fed.deliver(ticks(5))
        fed.deliver(ticks(595, from: 5))
        #expect(fed.finish())
        #expect(fed.reports.values(of: "seen") == Array(1...600))
        #expect(fed.reports.values(of: "controller").first == 7)
        let status = fed.monitor.status
        #expect(status.eventsDelivered == 600)
        #expect(status.eventsDropped == 0)
        #expect(status.health == .running)
        #expect(status.faults.isEmpty)
        fed.monitor.destroy()
        fed.deliver(ticks(1))
        #expect(fed.monitor.status.eventsDelivered == 600)
    }

    @Test("only wanted types are handed over")
    func mask() throws {
        var fixture = FixturePlugin()
        fixture.monitor = "sizeof(kit_monitor_v1), 0, {1ull << KIT_EVENT_STOP, 0}, on_events"
        fixture.onEvents = "return occur(sink, 1, \"count\", batch->event_count);"
        let fed = try Fed(fixture)
        #expect(fed.monitor.interest == EventMask(.stop))
        fed.deliver(ticks(3) + [PlayerEvent(.stop, session: SessionID(rawValue: 1))])
        #expect(fed.finish())
        #expect(fed.reports.values(of: "count") == [1])
    }

    @Test("options arrive typed and in order")
    func options() throws {
        var fixture = FixturePlugin(prelude: "static char got[512];")
        fixture.create = """
            snprintf(got, sizeof got, "%.*s", (int)how->instance_name.len, how->instance_name.ptr);
            for (uint32_t i = 0; i < how->option_count; i++) {
              const kit_option_v1 *o = (const void *)((const char *)how->options + i * how->option_stride);
              snprintf(got + strlen(got), sizeof got - strlen(got), " %.*s:%u:%lld:%g:%.*s", (int)o->key.len, o->key.ptr,
                       o->type, (long long)o->integer, o->number, (int)o->text.len, o->text.len ? o->text.ptr : "");
            }
            host->log(host, KIT_LOG_WARN, text(got));
            *self = got;
            return KIT_OK;
            """
        let fed = try Fed(
            fixture,
            options: [
                PluginOption("a", .int(-3)), PluginOption("b", .double(0.5)), PluginOption("c", .string("grün")),
                PluginOption("d", .flag(true)), PluginOption("e", .duration(2_000)), PluginOption("c", .string("")),
            ])
        #expect(fed.finish())
        #expect(fed.log.all == ["W fixture a:1:-3:0: b:2:0:0.5: c:3:0:0:grün d:4:1:0: e:5:2000:0: c:3:0:0:"])
    }

    @Test("a refused create is the end: a built-in throws, a stranger's status tells")
    func createFails() throws {
        var fixture = FixturePlugin()
        fixture.create =
            "host->report_error(host, 0, KIT_CONFIG, text(\"a and b exclude each other\")); return KIT_CONFIG;"
        let error = #expect(throws: PluginError.self) { _ = try Fed(fixture, origin: .builtIn) }
        #expect(error?.stage == .create)
        #expect(error?.message.contains("KIT_CONFIG: a and b exclude each other") == true)

        let fed = try Fed(fixture)
        fed.deliver(ticks(2))
        #expect(fed.finish())
        let status = fed.monitor.status
        #expect(status.health == .quarantined)
        #expect(status.faults.map(\.during) == ["create"])
        #expect(status.faults.first?.detail.contains("a and b exclude each other") == true)
        #expect(status.eventsDelivered == 0)
    }

    @Test("a negative result is a fault with the plugin's words; the instance goes on")
    func negativeResult() throws {
        var fixture = FixturePlugin()
        fixture.onEvents = """
            host_table->report_error(host_table, self, -77, text("first"));
            host_table->report_error(host_table, self, -77, text("lost the thread"));
            return -77;
            """
        let fed = try Fed(fixture)
        fed.deliver(ticks(1))
        #expect(fed.finish())
        fed.deliver(ticks(1))
        #expect(fed.finish())
        let status = fed.monitor.status
        #expect(status.health == .running)
        #expect(status.faults.map(\.kind) == [.error, .error])
        #expect(status.faults.first?.during == "on_events")
        #expect(status.faults.first?.detail.hasSuffix("answered unknown result -77: lost the thread") == true)
        #expect(status.calls == 3)
    }

    @Test("words about one failure are not taken for the next one's")
    func staleWords() throws {
        var fixture = FixturePlugin()
        fixture.onEvents = """
            if (batch->events[0].sequence == 1) { host_table->report_error(host_table, self, -1, text("old")); return KIT_OK; }
            return KIT_LIMIT;
            """
        let fed = try Fed(fixture)
        fed.deliver(ticks(1))
        fed.deliver(ticks(1, from: 1))
        #expect(fed.finish())
        #expect(fed.monitor.status.faults.first?.detail.hasSuffix("answered KIT_LIMIT") == true)
    }

    @Test(
        "after KIT_FATAL the instance is never called again, destroy included",
        arguments: [LoadPolicy.Origin.builtIn, .stranger])
    func fatal(origin: LoadPolicy.Origin) throws {
        var fixture = FixturePlugin()
        fixture.onEvents = "return KIT_FATAL;"
        fixture.destroy = "host_table->log(host_table, KIT_LOG_ERROR, text(\"destroyed\"));"
        let fed = try Fed(fixture, origin: origin)
        fed.deliver(ticks(1))
        fed.deliver(ticks(2))
        _ = fed.finish()
        fed.monitor.destroy()
        let status = fed.monitor.status
        #expect(status.health == .quarantined)
        #expect(status.faults.count == 1)
        #expect(status.calls == 2)
        #expect(status.eventsDelivered == 1)
        #expect(status.eventsDropped == 2)
        #expect(fed.log.all.isEmpty)
    }

    @Test(
        "an exception is caught, named, and the end of the instance",
        arguments: [
            ("throw std::runtime_error(\"boom\");", "threw std::runtime_error: boom"), ("throw 42;", "threw int"),
            ("throw Mute();", "threw Mute: "),
        ])
    func exception(body: String, expected: String) throws {
        var fixture = FixturePlugin()
        fixture.prelude = """
            #include <stdexcept>
            struct Mute : std::exception { const char *what() const noexcept override { return nullptr; } };
            """
        fixture.onEvents = body
        let fed = try Fed(fixture, compiler: "c++")
        fed.deliver(ticks(1))
        _ = fed.finish()
        let status = fed.monitor.status
        #expect(status.health == .quarantined)
        #expect(status.faults.map(\.kind) == [.exception])
        #expect(status.faults.first?.detail.hasSuffix(expected) == true)
    }

    @Test("a call that does not come back costs its lane and nobody else")
    func hang() throws {
        var fixture = FixturePlugin()
        fixture.onEvents = "if (batch->events[0].sequence == 2) for (;;) pause(); return occur(sink, 1, \"fine\", 1);"
        var deadlines = CallDeadlines()
        deadlines.onEvents = 1000
        deadlines.destroy = 100
        let fed = try Fed(fixture, deadlines: deadlines)
        let other = try Fed(FixturePlugin(onEvents: "return occur(sink, 1, \"fine\", 1);"))
        fed.deliver(ticks(1))
        #expect(fed.finish())
        fed.deliver(ticks(1, from: 1))
        #expect(!fed.finish())
        fed.deliver(ticks(3))
        other.deliver(ticks(1))
        #expect(other.finish())
        fed.monitor.destroy()

        let status = fed.monitor.status
        #expect(status.health == .quarantined)
        #expect(status.faults.map(\.kind) == [.hang])
        #expect(status.faults.first?.during == "on_events")
        #expect(status.eventsDropped == 3)
        #expect(fed.reports.values(of: "fine") == [1])
        #expect(other.reports.values(of: "fine") == [1])
    }

    @Test("a destroy that does not come back is given up after its budget")
    func hangingDestroy() throws {
        var deadlines = CallDeadlines()
        deadlines.destroy = 50
        let fed = try Fed(FixturePlugin(destroy: "for (;;) pause();"), deadlines: deadlines)
        #expect(fed.finish())
        fed.monitor.destroy()
        #expect(fed.monitor.status.faults.map(\.during) == ["destroy"])
        #expect(fed.monitor.status.faults.map(\.kind) == [.hang])
    }

    @Test("what a slow plugin has no room for is dropped and told in the next batch")
    func overflow() throws {
        let directory = try TemporaryDirectory()
        let gate = directory.file("gate")
        var fixture = FixturePlugin()
        fixture.onEvents = """
            while (access("\(gate)", F_OK)) usleep(1000);
            if (batch->dropped) return occur(sink, 1, "dropped", (int64_t)batch->dropped);
            return KIT_OK;
            """
        var deadlines = CallDeadlines()
        deadlines.onEvents = patience
        let fed = try Fed(fixture, deadlines: deadlines)
        for start in stride(from: 0, to: 6000, by: 100) { fed.deliver(ticks(100, from: start)) }
        let dropped = fed.monitor.status.eventsDropped
        #expect(dropped >= 6000 - 4096 - 100)
        #expect(dropped < 6000)
        _ = try directory.write([], to: "gate")
        #expect(fed.finish())
        #expect(fed.reports.values(of: "dropped").reduce(0, +) == Int64(dropped))
        #expect(fed.monitor.status.eventsDelivered + dropped == 6000)
    }

    @Test("a thousand faults do not grow the status without bound")
    func manyFaults() throws {
        let fed = try Fed(FixturePlugin(onEvents: "return KIT_BAD_ARG;"), origin: .builtIn)
        for number in 0..<1000 { fed.deliver(ticks(1, from: number)) }
        let faults = fed.monitor.status.faults
        #expect(faults.count == 17)
        #expect(faults.last?.detail.contains("984 more faults") == true)
    }

    @Test("log lines are cut to 4 KiB, repaired, and a flood is counted")
    func log() throws {
        var fixture = FixturePlugin(prelude: "static char big[100000];")
        fixture.onEvents = """
            kit_str bad = {"a\\xff" "b", 3}, null = {0, 5};
            memset(big, 'x', sizeof big);
            kit_str long_text = {big, sizeof big};
            host_table->log(host_table, 99, bad);
            host_table->log(host_table, KIT_LOG_DEBUG, null);
            host_table->log(host_table, KIT_LOG_DEBUG, long_text);
            for (int i = 0; i < 100000; i++) host_table->log(host_table, KIT_LOG_INFO, bad);
            return KIT_OK;
            """
        let fed = try Fed(fixture, origin: .builtIn)
        fed.deliver(ticks(1))
        #expect(fed.log.all.first == "I a\u{FFFD}b")
        #expect(fed.log.all.dropFirst().first == "D " + String(repeating: "x", count: 4096))
        #expect(fed.log.all.count < 50_000)
    }

    @Test("services that this host does not have say so")
    func services() throws {
        var fixture = FixturePlugin()
        fixture.onEvents = """
            return occur(sink, 1, "interface", host_table->get_interface(host_table, "kit.future/1") != 0);
            """
        let fed = try Fed(fixture, origin: .builtIn)
        fed.deliver(ticks(1))
        #expect(fed.reports.values(of: "interface") == [0])
    }

    @Test("a sink that was kept beyond its call takes nothing")
    func keptSink() throws {
        var fixture = FixturePlugin(prelude: "static const kit_report_sink_v1 *kept;")
        fixture.onEvents = "kept = sink; return KIT_OK;"
        fixture.destroy =
            "char word[32]; snprintf(word, 32, \"%d\", occur(kept, 1, \"late\", 1)); host_table->log(host_table, 2, text(word));"
        let fed = try Fed(fixture)
        fed.deliver(ticks(1))
        #expect(fed.finish())
        fed.monitor.destroy()
        #expect(fed.reports.all.isEmpty)
        #expect(
            fed.log.all == [
                "I \(KitResult.stale.rawValue)",
                "W 1 reports were cut: bad, too many, too large, or of no session it was given",
            ])
    }
}
