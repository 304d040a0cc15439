// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaCore
import PlayerRuntime
import Sessions
import TestSupport
import Testing

@Suite("The strategy manager")
struct StrategyManagerTests {
    let stage = FakeStage()
    let journal = Journal()

    @Test("starts, resets and stops in the order of registration")
    func order() {
        let controller = PlayerController(environment: stage.environment)
        let manager = controller.strategyManager
        for name in ["a", "b", "c"] { manager.register(FakeStrategy(name, journal: journal)) }
        #expect(manager.strategyCount == 3 && !manager.isStarted)
        manager.start(controller, playerModel: stage.model())
        #expect(manager.isStarted)
        manager.start(controller, playerModel: stage.model())
        manager.reset(stage.model("/b"))
        manager.stop()
        manager.stop()
        manager.reset(stage.model("/c"))
        #expect(
            journal.lines == [
                "a start", "b start", "c start", "a reset", "b reset", "c reset", "a stop", "b stop", "c stop",
            ])
        #expect(!manager.isStarted && manager.strategyCount == 3)
        manager.destroy()
        #expect(manager.strategyCount == 0)
        controller.destroy()
    }

    @Test("a second strategy of the same name stops the first and takes its place")
    func replaces() {
        let controller = PlayerController(environment: stage.environment)
        let manager = controller.strategyManager
        let second = FakeStrategy("a", journal: journal)
        manager.register(FakeStrategy("a", journal: journal))
        manager.register(FakeStrategy("b", journal: journal))
        manager.start(controller, playerModel: stage.model())
        manager.register(second)
        #expect(journal.lines == ["a start", "b start", "a stop", "a start"])
        #expect(manager.strategyCount == 2)
        #expect(manager.strategy(named: "a") === second)
        #expect(manager.strategy(named: "z") == nil)
        manager.unregister("a")
        manager.unregister("z")
        #expect(journal.lines.last == "a stop")
        #expect(manager.statuses.map(\.name) == ["b", "a"])
        controller.destroy()
    }

    @Test("what became of each is told after the end, however many there were")
    func tellsOfAll() {
        let controller = PlayerController(environment: stage.environment)
        let manager = controller.strategyManager
        let names = (1...200).map { "s\($0)" }
        for name in names { manager.register(FakeStrategy(name, failing: name == "s200" ? [.start] : [])) }
        manager.start(controller, playerModel: stage.model())
        manager.destroy()
        #expect(manager.statuses.map(\.name) == names)
        #expect(manager.statuses.last?.faults.count == 1)
        controller.destroy()
    }

    @Test("one that fails is recorded and the rest goes on", arguments: FakeStrategy.Call.allCases)
    func isolates(_ call: FakeStrategy.Call) {
        let controller = PlayerController(environment: stage.environment)
        let manager = controller.strategyManager
        manager.register(FakeStrategy("bad", journal: journal, failing: [call]))
        manager.register(FakeStrategy("good", journal: journal))
        manager.start(controller, playerModel: stage.model())
        manager.reset(stage.model("/b"))
        manager.stop()
        #expect(journal.lines.filter { $0.hasPrefix("good") } == ["good start", "good reset", "good stop"])
        let bad = manager.statuses.first { $0.name != "good" }
        #expect(bad?.faults.map(\.during) == [call.rawValue])
        #expect(bad?.faults.map(\.kind) == [.exception])
        switch call {
        case .name: #expect(manager.strategyCount == 1 && bad?.health == .refused)
        case .start: #expect(!journal.lines.contains("bad reset") && bad?.health == .quarantined)
        case .stop, .reset: #expect(journal.lines.contains("bad stop") && bad?.health == .running)
        }
        controller.destroy()
    }

    private final class Forgetful: BaseStrategy, @unchecked Sendable {
        let journal = Journal()
        private let failsToStart: Bool

        init(failsToStart: Bool) {
            self.failsToStart = failsToStart
        }

        override var strategyName: String { get throws { "forgetful" } }
        override func strategyDidStart(_ context: StrategyContext) throws {
            try super.strategyDidStart(context)
            if failsToStart { throw FakeFailure() }
        }
        override func strategyDidStop() throws { throw FakeFailure() }
        override func playerDidRenderFirstFrame() { journal.note("first frame") }
    }

    @Test("one that failed to start, or in its stop, hears no notification any more", arguments: [true, false])
    func failedOnesHearNothing(failsToStart: Bool) {
        let controller = PlayerController(environment: stage.environment)
        let strategy = Forgetful(failsToStart: failsToStart)
        controller.strategyManager.register(strategy)
        controller.configure(stage.model("/a"))
        stage.environment.dispatcher.barrier()
        stage.deliveryQueue.sync {}
        let heard = strategy.journal.lines.count
        #expect(heard == (failsToStart ? 0 : 1))
        controller.strategyManager.stop()
        controller.replay()
        stage.environment.dispatcher.barrier()
        stage.deliveryQueue.sync {}
        #expect(strategy.journal.lines.count == heard)
        #expect(strategy.context?.isValid != true)
        controller.destroy()
    }

    @Test("a name that is empty or breaks a line is no name", arguments: ["", "a\nb", "\u{1b}[2J"])
    func names(_ name: String) {
        let controller = PlayerController(environment: stage.environment)
        controller.strategyManager.register(FakeStrategy(name))
        #expect(controller.strategyManager.strategyCount == 0)
        #expect(controller.strategyManager.statuses.map(\.health) == [.refused])
        controller.destroy()
    }

    @Test("a context is valid from start to stop and every access is checked")
    func context() throws {
        let controller = PlayerController(environment: stage.environment)
        let strategy = FakeStrategy("a")
        controller.strategyManager.register(strategy)
        controller.configure(stage.model("/a"))
        let context = try #require(strategy.context)
        #expect(context.isValid)
        #expect(try context.controller === controller)
        #expect(try context.stateStore === controller.stateStore)
        controller.configure(stage.model("/b"))
        #expect(try context.playerModel.videoSource == .url("/b"))
        try context.reports.emit(ReportEntry(.record, session: SessionID(rawValue: 1), name: "r", fields: []))
        let sink = try context.reports
        controller.strategyManager.stop()
        #expect(!context.isValid)
        #expect(throws: StrategyContextError.invalid) { try context.controller }
        #expect(throws: StrategyContextError.invalid) { try context.playerModel }
        #expect(throws: StrategyContextError.invalid) { try context.stateStore }
        #expect(throws: StrategyContextError.invalid) { try context.reports }
        sink.emit(ReportEntry(.record, session: SessionID(rawValue: 1), name: "late", fields: []))
        #expect(stage.reports.map(\.name) == ["r"])
        controller.destroy()
    }

    @Test("what a strategy does to the manager inside a call happens when that is over")
    func reentrant() {
        let controller = PlayerController(environment: stage.environment)
        let manager = controller.strategyManager
        manager.register(
            FakeStrategy("a", journal: journal) { [journal] context in
                let manager = try context.controller.strategyManager
                manager.register(FakeStrategy("c", journal: journal))
                manager.unregister("a")
                journal.note("a returns")
            })
        manager.register(FakeStrategy("b", journal: journal))
        manager.start(controller, playerModel: stage.model())
        manager.stop()
        #expect(
            journal.lines == [
                "a start", "a returns", "b start", "c start", "a stop", "b stop", "c stop",
            ])
        controller.destroy()
    }

    @Test("a monitor hears everything before it is stopped, and nothing after")
    func monitors() {
        let controller = PlayerController(environment: stage.environment)
        let monitor = FakeMonitor("m", journal: journal)
        controller.strategyManager.register(monitor)
        controller.configure(stage.model())
        stage.factory.players[0].complete()
        controller.destroy()
        #expect(journal.lines.first == "m start")
        #expect(journal.lines.suffix(2) == ["m finish", "m stop"])
        #expect(monitor.types.contains(.completed))
        #expect(monitor.types == stage.events.map(\.type))
        let status = controller.strategyManager.statuses[0]
        #expect(status.kinds == ["monitor"] && status.eventsDelivered == UInt64(monitor.events.count))
        #expect(status.origin == "native" && status.faults.isEmpty)
    }

    @Test("a monitor that throws goes on, until it has thrown three times in a row; the others never notice")
    func throwingMonitor() {
        let controller = PlayerController(environment: stage.environment)
        let bad = FakeMonitor("bad") { _, _ in throw FakeFailure() }
        let good = FakeMonitor("good")
        controller.strategyManager.register(bad)
        controller.strategyManager.register(good)
        controller.configure(stage.model())
        for _ in 0..<5 {
            stage.environment.dispatcher.barrier()
            stage.factory.players[0].post(.loadingBegin(cause: .network))
        }
        controller.destroy()
        let status = controller.strategyManager.statuses[0]
        #expect(
            status.faults.count == 3 && status.faults.allSatisfy { $0.kind == .exception && $0.during == "receive" })
        #expect(status.health == .quarantined)
        #expect(status.eventsDropped > 0)
        #expect(good.types == stage.events.map(\.type))
    }

    @Test("a base strategy hears notifications between start and stop and has its context then")
    func base() {
        final class Counting: BaseStrategy, @unchecked Sendable {
            let journal: Journal
            init(_ journal: Journal) { self.journal = journal }
            override var strategyName: String { get throws { "counting" } }
            override func playerDidRenderFirstFrame() { journal.note("first frame \(context != nil)") }
            override func resetInternalState() { journal.note("reset") }
        }
        let controller = PlayerController(environment: stage.environment)
        let strategy = Counting(journal)
        controller.strategyManager.register(strategy)
        controller.strategyManager.register(BaseStrategy())
        #expect(controller.strategyManager.strategyCount == 1)
        #expect(strategy.context == nil)
        controller.configure(stage.model())
        stage.deliver()
        controller.configure(stage.model("/b"))
        stage.deliver()
        controller.strategyManager.stop()
        #expect(strategy.context == nil)
        controller.replay()
        stage.deliver()
        #expect(journal.lines == ["first frame true", "reset", "first frame true"])
        controller.destroy()
    }
}
