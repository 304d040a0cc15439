// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaCore
import PlayerRuntime
import Sessions
import Synchronization
import TestSupport
import Testing

@Suite("A command whose player is taken away while it is performed")
struct CommandRaceTests {
    enum Command: CaseIterable {
        case play, pause, seek, stop, replay, setRate, selectTrack, onPause, onResume

        /// At which question for the player's state, once the controller has looked for its player, that is taken away.
        var ask: Int { self == .stop ? 2 : 1 }

        /// Brings the controller to where the command does something to its player.
        func makeReady(_ controller: PlayerController) {
            switch self {
            case .play: controller.pause()
            case .onResume: controller.onPause()
            default: break
            }
        }

        func give(to controller: PlayerController) -> CommandResult {
            switch self {
            case .play: controller.play()
            case .pause: controller.pause()
            case .seek: controller.seek(to: MediaTime(microseconds: 1_000_000))
            case .stop: controller.stop()
            case .replay: controller.replay()
            case .setRate: controller.setRate(1.5)
            case .selectTrack: controller.selectTrack(2)
            case .onPause: controller.onPause()
            case .onResume: controller.onResume()
            }
        }

        /// These are about the controller, whatever player it has.
        var needsPlayer: Bool { ![.setRate, .onPause, .onResume].contains(self) }
    }

    private let script = FakePlayerScript()
    private let stage: FakeStage
    private let pool: PlayerPool

    init() {
        stage = FakeStage(script: script)
        pool = PlayerPool(policy: CommandRaceTests.onlyOne(), clock: stage.clock, log: stage.log)
    }

    private static func onlyOne() -> FakePolicy {
        FakePolicy(takesOver: true) { request in
            switch request.kind {
            case .acquire: PoolDecision(request.players.first.map { .use($0.handle) } ?? .create)
            default: nil
            }
        }
    }

    private func makeController() -> PlayerController {
        PlayerController(environment: stage.environment, lifecycleStrategy: pool)
    }

    /// Does something on another thread, which comes at once however busy the shared ones are, and waits for it.
    @discardableResult
    private static func elsewhere<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value? {
        let value = Mutex<Value?>(nil)
        let isDone = DispatchGroup()
        DispatchQueue(label: "elsewhere").async(group: isDone) {
            let made = body()
            value.withLock { $0 = made }
        }
        isDone.wait()
        return value.withLock { $0 }
    }

    @Test("B46: does nothing to the player, which is another's", arguments: Command.allCases)
    func takenOver(_ command: Command) {
        let (former, next) = (makeController(), makeController())
        former.configure(stage.model("/a"))
        command.makeReady(former)
        let commands = Mutex<[String]>([])
        let (stage, player) = (stage, stage.factory.players[0])
        script.onAsk(command.ask) {
            Self.elsewhere { next.configure(stage.model("/b")) }
            commands.withLock { $0 = player.commands }
        }
        let result = command.give(to: former)
        let taken = commands.withLock { $0 }
        #expect(taken.last == "start")
        #expect(player.commands == taken)
        #expect(next.playerState == .playing && player.settings == PlaybackSettings())
        #expect(result.error?.code == (command.needsPlayer ? .noPlayer : nil))
        former.destroy()
        next.destroy()
        #expect(stage.sessions.map(\.endReason) == [.takenOver, .destroy])
        // The counts that the player tells when it is stopped, and nothing of the command.
        #expect(stage.environment.dispatcher.figures.lateEvents == 1)
    }

    @Test("by the application, as its source is set, prepares nothing on it")
    func whileConfigured() {
        let (former, next) = (makeController(), makeController())
        let stage = stage
        let commands = Mutex<[String]>([])
        var model = stage.model("/a")
        model.onPlayerConfig = { player in
            Self.elsewhere { next.configure(stage.model("/b")) }
            commands.withLock { $0 = (player as? FakePlayer)?.commands ?? [] }
        }
        #expect(former.configure(model).error?.code == .staleLease)
        #expect(stage.factory.players[0].commands == commands.withLock { $0 })
        #expect(next.playerState == .playing)
        former.destroy()
        next.destroy()
        #expect(stage.sessions.map(\.endReason) == [.takenOver, .destroy])
    }

    @Test(
        "is waited for: what does not return in time is given up, and its player goes to nobody",
        arguments: [false, true])
    func underWay(isPrepared: Bool) throws {
        let (pool, stage) = (pool, stage)
        pool.setup(factory: stage.factory)
        let changes = Journal()
        let lease = try pool.acquirePlayer(uniqueID: "A", sourceKind: .url) { changes.note("\($0)") }
        if isPrepared {
            try lease.player.setDataSource(
                PlayerModel(videoSource: .url("/a")),
                output: EventOutput(
                    controller: ControllerID(rawValue: 1), session: SessionID(rawValue: 1), clock: FakeClock(),
                    queue: EventQueue()))
            lease.player.prepare()
        }
        let result = pool.whileDriving(lease) {
            Self.elsewhere { () -> PlayerLease? in try? pool.acquirePlayer(uniqueID: "B") }
        }
        let next = try #require((result ?? nil) ?? nil)
        #expect(next.origin == .created && next.player.playerID == 2)
        #expect(changes.lines == ["takenOver"])
        #expect(Patience.wait { stage.factory.players.map(\.isDestroyed) == [true, false] })
        #expect(pool.counts.active == 1 && pool.counts.destroyed == 1 && pool.counts.stopFailures == 1)
        #expect(pool.whileDriving(lease) {} == nil)
    }

    @Test("waits for no decision of the strategy")
    func duringDecision() throws {
        let stage = stage
        let result = Mutex<CommandResult?>(nil)
        let controller = Mutex<PlayerController?>(nil)
        let pool = PlayerPool(
            policy: FakePolicy { request in
                guard case .preload = request.kind, let controller = controller.withLock({ $0 }) else { return nil }
                result.withLock { $0 = Self.elsewhere { controller.pause() } }
                return nil
            }, clock: stage.clock, log: stage.log)
        let playing = PlayerController(environment: stage.environment, lifecycleStrategy: pool)
        playing.configure(stage.model())
        controller.withLock { $0 = playing }
        pool.preload(count: 1)
        #expect(result.withLock { $0 } == .performed && playing.playerState == .paused)
        controller.withLock { $0 = nil }
        playing.destroy()
    }

    @Test("and is given by a strategy or a factory that is asked is queued, since it may wait for what they answer")
    func insidePool() throws {
        let (stage, results) = (stage, Journal())
        let controller = makeController()
        controller.configure(stage.model())
        let asking = PlayerPool(
            policy: FakePolicy { _ in
                results.note("policy \(controller.pause())")
                return nil
            }, clock: stage.clock, log: stage.log)
        asking.setup(factory: stage.factory)
        stage.factory.onMake { results.note("factory \(controller.pause())") }
        _ = try asking.acquirePlayer(uniqueID: "A")
        stage.factory.onMake(nil)
        #expect(results.lines == ["policy queued", "factory queued"])
        controller.destroy()
    }
}
