// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

/// Every kind of callback gives the same commands, whose order shows in the events and at the player.
@Suite("Commands given inside a callback are performed in their order")
struct CallbackTests {
    let stage = FakeStage()

    private enum Place: Sendable {
        case delegate, start, reset, monitor, stop

        static let ofStrategies = [Place.start, .reset, .monitor, .stop]
    }

    private final class Commander: PlayerNotificationDelegate, MonitorStrategy {
        let place: Place
        let interest = EventMask(.prepared)
        let journal = Journal()
        weak let controller: PlayerController?

        init(_ place: Place, _ controller: PlayerController) {
            self.place = place
            self.controller = controller
        }

        func give(in place: Place) {
            if place == self.place, journal.lines.isEmpty, let controller { CallbackTests.give(controller, journal) }
        }

        var strategyName: String { "commander" }
        func strategyDidStart(_ context: StrategyContext) { give(in: .start) }
        func strategyDidReset(_ context: StrategyContext) { give(in: .reset) }
        func strategyDidStop() { give(in: .stop) }
        func receive(_ events: [PlayerEvent], reports: ReportSink) { give(in: .monitor) }
        func finish(withinMilliseconds milliseconds: Int) -> Bool { true }
        func playerDidPrepared(duration: MediaTime?) { give(in: .delegate) }
    }

    static func give(_ controller: PlayerController, _ journal: Journal) {
        for rate in [0.5, 1.5, 2] { journal.note("\(controller.setRate(rate))") }
        journal.note("\(controller.seek(to: MediaTime(microseconds: 7)))")
        journal.note("\(controller.pause())")
    }

    /// - Parameter session: the one that the commands must have met.
    private func expectOrder(_ controller: PlayerController, _ journal: Journal, results: String, session: UInt32 = 1) {
        stage.deliver()
        // Behind everything that was queued.
        #expect(controller.setMuted(true) == .performed)
        #expect(journal.lines == Array(repeating: results, count: 5))
        let interesting: Set<EventType> = [.rate, .seekBegin, .pauseIntent, .mute]
        let events = stage.events.filter { interesting.contains($0.type) && $0.session.rawValue == session }
        #expect(events.map(\.type) == [.rate, .rate, .rate, .seekBegin, .pauseIntent, .mute])
        #expect(events.prefix(3).map { $0.values[0] } == [500, 1500, 2000])
        #expect(controller.playerState == .paused && controller.rate == 2)
        controller.destroy()
    }

    @Test("of a delegate")
    func delegate() {
        let controller = PlayerController(environment: stage.environment)
        let commander = Commander(.delegate, controller)
        controller.addNotificationDelegate(commander)
        controller.configure(stage.model())
        expectOrder(controller, commander.journal, results: "performed")
    }

    @Test("of a reader of the stream")
    func stream() async {
        let controller = PlayerController(environment: stage.environment)
        let journal = Journal()
        let events = controller.events
        controller.configure(stage.model())
        for await event in events where event.type == .firstVideoFrame {
            CallbackTests.give(controller, journal)
            break
        }
        expectOrder(controller, journal, results: "performed")
    }

    @Test("of a strategy that starts, is reset, gets events, or is stopped", arguments: Place.ofStrategies)
    private func strategy(place: Place) {
        let session: UInt32 = place == .reset ? 2 : 1
        let controller = PlayerController(environment: stage.environment)
        let commander = Commander(place, controller)
        controller.strategyManager.register(commander)
        controller.configure(stage.model())
        if place == .stop { controller.strategyManager.unregister("commander") }
        if session == 2 { controller.configure(stage.model("/media/b.mp4")) }
        expectOrder(controller, commander.journal, results: "queued", session: session)
    }

    @Test("of a lifecycle policy that decides")
    func policy() {
        let journal = Journal()
        let place = Mutex<PlayerController?>(nil)
        let policy = FakePolicy { request in
            guard case .acquire = request.kind else { return nil }
            if let controller = place.withLock({ $0 }) { CallbackTests.give(controller, journal) }
            return PoolDecision(.create)
        }
        let pool = PlayerPool(policy: policy, clock: stage.clock, log: stage.log)
        let controller = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        place.withLock { $0 = controller }
        controller.configure(stage.model())
        place.withLock { $0 = nil }
        expectOrder(controller, journal, results: "queued")
    }

    @Test("of a player factory")
    func factory() {
        let journal = Journal()
        let controller = PlayerController(environment: stage.environment)
        stage.factory.onMake { [weak controller] in
            if let controller { CallbackTests.give(controller, journal) }
        }
        controller.configure(stage.model())
        expectOrder(controller, journal, results: "queued")
    }

    @Test("of a player that is stopped")
    func stop() {
        let script = FakePlayerScript()
        let stage = FakeStage(script: script)
        let controller = PlayerController(environment: stage.environment)
        let journal = Journal()
        controller.configure(stage.model())
        script.onStop { [weak controller] _ in
            if journal.lines.isEmpty, let controller { CallbackTests.give(controller, journal) }
        }
        controller.replay()
        controller.setMuted(true)
        #expect(journal.lines == Array(repeating: "queued", count: 5))
        let rates = stage.events.filter { $0.type == .rate }
        #expect(rates.map { $0.values[0] } == [500, 1500, 2000])
        #expect(rates.allSatisfy { $0.session.rawValue == 2 } && controller.playerState == .paused)
        controller.destroy()
    }

    @Test("of the log, where one that then does nothing is told")
    func refusedLater() {
        let stage = FakeStage()
        let journal = Journal()
        stage.log.addObserver(LineObserver(journal))
        let controller = PlayerController(environment: stage.environment)
        controller.strategyManager.register(
            FakeStrategy("s") { context in journal.note("\(try context.controller.onResume())") })
        controller.configure(stage.model())
        #expect(journal.lines.first == "queued")
        #expect(journal.wait(containing: "onResume did nothing"))
        controller.destroy()
    }

    private final class LineObserver: LogObserver {
        let journal: Journal

        init(_ journal: Journal) {
            self.journal = journal
        }

        func onLog(_ info: LogInfo) { journal.note(info.message) }
    }
}
