// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import Synchronization
import TestSupport
import Testing

/// Keeps what was asked for.
final class AskedActions: Sendable {
    private let requests = Mutex<[ActionRequest]>([])

    var all: [ActionRequest] { requests.withLock { $0 } }

    func port(isGranted: Bool = true, name: String = "fixture") -> ActionPort {
        ActionPort(instance: name, isGranted: isGranted) { request, _ in self.requests.withLock { $0.append(request) } }
    }
}

extension ActionPort {
    /// For instances that ask for nothing.
    static var nothing: ActionPort { ActionPort(instance: "", isGranted: false) { _, _ in } }
}

@Suite("Requests for actions in this process")
struct ActionTests {
    private static func asking(_ arguments: String) -> FixturePlugin {
        var fixture = FixturePlugin()
        fixture.onEvents =
            "return occur(sink, batch->events->session, \"answer\", host_table->request_action(host_table, self, \(arguments)));"
        return fixture
    }

    @Test(
        "are judged by their arguments",
        arguments: [
            ("1, 1, KIT_ACTION_PAUSE, 0", KitResult.ok, ActionRequest.Action.pause),
            ("1, 1, KIT_ACTION_PLAY, 0", .ok, .play), ("1, 1, KIT_ACTION_STOP, 0", .ok, .stop),
            ("1, 1, KIT_ACTION_SEEK, 7000000", .ok, .seek), ("1, 1, KIT_ACTION_SEEK, -1", .badArgument, nil),
            ("1, 1, KIT_ACTION_PAUSE, 1", .badArgument, nil), ("0, 1, KIT_ACTION_PAUSE, 0", .badArgument, nil),
            ("1, 0, KIT_ACTION_PAUSE, 0", .badArgument, nil), ("1, 1, 0, 0", .unsupported, nil),
            ("1, 1, 5, 0", .unsupported, nil), ("1, 1, INT32_MIN, 0", .unsupported, nil),
        ] as [(String, KitResult, ActionRequest.Action?)])
    func arguments(arguments: String, answer: KitResult, action: ActionRequest.Action?) throws {
        for origin in [LoadPolicy.Origin.builtIn, .stranger] {
            let asked = AskedActions()
            let fed = try Fed(ActionTests.asking(arguments), origin: origin, actions: asked.port())
            fed.deliver(ticks(1))
            #expect(fed.finish())
            #expect(fed.reports.values(of: "answer") == [Int64(answer.rawValue)])
            #expect(asked.all.map(\.action) == [action].compactMap(\.self))
            #expect(asked.all.allSatisfy { $0.instance == "fixture" && $0.session.rawValue == 1 && $0.trigger == 1 })
            #expect(fed.monitor.status.faults.isEmpty)
        }
    }

    @Test("that are not granted are denied, handed on to be told, and a fault", arguments: [1, 3])
    func denied(times: Int) throws {
        let asked = AskedActions()
        let fed = try Fed(
            ActionTests.asking("1, 1, KIT_ACTION_PAUSE, 0"), origin: .builtIn, actions: asked.port(isGranted: false))
        for number in 0..<times { fed.deliver(ticks(1, from: number)) }
        #expect(fed.reports.values(of: "answer") == Array(repeating: Int64(KitResult.denied.rawValue), count: times))
        #expect(asked.all.count == times)
        #expect(fed.monitor.status.faults.map(\.kind) == Array(repeating: .denied, count: times))
        #expect(fed.monitor.status.faults.first?.detail.contains("--grant fixture:actions") == true)
        #expect(fed.monitor.status.health == .running)
    }

    @Test("are limited in a session, and a new one begins afresh")
    func limit() throws {
        let asked = AskedActions()
        let fed = try Fed(
            ActionTests.asking("batch->events->session, 1, KIT_ACTION_PAUSE, 0"), origin: .builtIn,
            actions: asked.port())
        for number in 0..<70 { fed.deliver(ticks(1, from: number)) }
        #expect(asked.all.count == ActionPort.maxPerSession)
        #expect(fed.reports.values(of: "answer").suffix(6).allSatisfy { $0 == Int64(KitResult.limit.rawValue) })
        fed.deliver([PlayerEvent(.tick, session: SessionID(rawValue: 2))])
        #expect(asked.all.last?.session.rawValue == 2)
    }

    @Test("come from a thread of the plugin's own as well")
    func otherThread() throws {
        var fixture = FixturePlugin(prelude: "#include <pthread.h>\n#include <stdint.h>")
        fixture.prelude += """

            static void *ask(void *self) {
              return (void *)(intptr_t)host_table->request_action(host_table, self, 1, 1, KIT_ACTION_PAUSE, 0);
            }
            """
        fixture.onEvents = """
            pthread_t thread;
            void *answer;
            pthread_create(&thread, 0, ask, self);
            pthread_join(thread, &answer);
            return occur(sink, 1, "answer", (intptr_t)answer);
            """
        let asked = AskedActions()
        let fed = try Fed(fixture, actions: asked.port())
        fed.deliver(ticks(1))
        #expect(fed.finish())
        #expect(fed.reports.values(of: "answer") == [0])
        #expect(asked.all.count == 1)
    }

    @Test("of an instance that is not there, not yet or no longer, are refused")
    func outsideOfItsLife() throws {
        var fixture = FixturePlugin(prelude: "static void say(const char *, int);")
        fixture.prelude +=
            "\nstatic void say(const char *when, int answer) { char line[64]; snprintf(line, 64, \"%s %d\", when, answer); host_table->log(host_table, 2, text(line)); }"
        let ask = "host_table->request_action(host_table, PLACE, 1, 1, KIT_ACTION_PAUSE, 0)"
        fixture.create =
            "*self = (void *)how; say(\"create\", \(ask.replacing("PLACE", with: "*self"))); return KIT_OK;"
        fixture.onEvents = "say(\"stranger\", \(ask.replacing("PLACE", with: "(void *)9"))); return KIT_OK;"
        fixture.destroy = "say(\"destroy\", \(ask.replacing("PLACE", with: "self")));"
        let asked = AskedActions()
        let fed = try Fed(fixture, origin: .builtIn, actions: asked.port())
        fed.deliver(ticks(1))
        fed.monitor.destroy()
        #expect(fed.log.all == ["I create -1", "I stranger -1", "I destroy -1"])
        #expect(asked.all.isEmpty)
    }

    @Test("of instances that share a pointer are refused, since nobody knows whose they are")
    func sharedPointer() throws {
        var fixture = ActionTests.asking("1, 1, KIT_ACTION_PAUSE, 0")
        fixture.create = "*self = 0; return KIT_OK;"
        let directory = try TemporaryDirectory()
        let place = try InProcessPlace(fixture.build(in: directory, origin: .builtIn), log: CapturedLog().sink)
        let asked = AskedActions()
        let reports = CapturedReports()
        let monitors = try ["a", "b"].map {
            try place.makeMonitor(
                name: $0, options: [], controller: ControllerID(rawValue: 1), actions: asked.port(name: $0))
        }
        monitors[0].deliver(ticks(1), reports: reports.sink)
        monitors[1].destroy()
        monitors[0].deliver(ticks(1, from: 1), reports: reports.sink)
        #expect(reports.values(of: "answer") == [Int64(KitResult.badArgument.rawValue), 0])
        #expect(asked.all.map(\.instance) == ["a"])
    }
}
