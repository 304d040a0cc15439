// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import Sessions
internal import Synchronization

/// The strategies of one controller: starts, resets and stops them in the order of registration, each call isolated.
///
/// A call that throws is recorded in the strategy's status and logged; the rest goes on. Calls made from inside a strategy or
/// another callback of the host are queued until that is over.
///
/// Thread: any.
public final class StrategyManager: Sendable {
    private struct State {
        var slots: [StrategySlot] = []
        /// Strategies that are gone or never came to be, the newest of each name.
        var former: [Former] = []
        var running: Running?
        var isDestroyed = false
    }

    private struct Former {
        var name: String
        var status: @Sendable () -> StrategyStatus
    }

    private struct Running {
        weak var controller: PlayerController?
        var id: ControllerID
        var model: PlayedModel
    }

    /// Rows of former strategies that are kept besides those of the strategies that are registered when the manager is destroyed.
    static let formerLimit = 64

    private let state = Mutex(State())
    private let commands: SerialCommands
    private let environment: PlayerEnvironment

    init(environment: PlayerEnvironment, commands: SerialCommands) {
        self.environment = environment
        self.commands = commands
    }

    /// How many strategies are registered.
    public var strategyCount: Int { state.withLock { $0.slots.count } }

    /// Whether the strategies run.
    public var isStarted: Bool { state.withLock { $0.running != nil } }

    /// What became of every strategy: those registered in their order, then those that are gone.
    public var statuses: [StrategyStatus] {
        let (slots, former) = state.withLock { ($0.slots, $0.former) }
        let rows = slots.map(\.status)
        return rows + former.filter { gone in !rows.contains { $0.name == gone.name } }.map { $0.status() }
    }

    /// The registered strategy of that name.
    public func strategy(named name: String) -> (any StrategyProtocol)? {
        state.withLock { state in state.slots.first { $0.name == name }?.strategy }
    }

    /// Adds a strategy; one of the same name is stopped and gives its place to it. Started at once if the manager is.
    public func register(_ strategy: any StrategyProtocol) {
        _ = commands.perform { self.registerNow(strategy) }
    }

    /// Stops and removes the strategy of that name; nothing happens if there is none.
    public func unregister(_ name: String) {
        _ = commands.perform { self.unregisterNow(name) }
    }

    /// Starts every strategy that does not run.
    public func start(_ controller: PlayerController, playerModel: PlayerModel) {
        _ = commands.perform { self.startNow(controller, PlayedModel(playerModel)) }
    }

    /// Tells every running strategy that the source was switched.
    public func reset(_ playerModel: PlayerModel) {
        _ = commands.perform { self.resetNow(PlayedModel(playerModel)) }
    }

    /// Stops every strategy, after the monitoring ones have handled what was posted so far.
    public func stop() {
        _ = commands.perform { self.stopNow() }
    }

    /// Stops and removes every strategy; nothing can be registered afterwards.
    public func destroy() {
        _ = commands.perform { self.destroyNow() }
    }
}

/// The same as commands are performed: one at a time, on the thread that performs the controller's commands.
extension StrategyManager {
    func registerNow(_ strategy: any StrategyProtocol) {
        let name: String
        do {
            name = try strategy.strategyName
            guard !name.isEmpty, name == name.escapingControls else {
                throw StrategyError.badName(name.escapingControls)
            }
        } catch {
            return recordNameless(
                String(describing: type(of: strategy)), during: "name",
                "\(type(of: strategy)) was not registered, the rest goes on without it: its name cannot be had: \(error)"
            )
        }
        let slot = StrategySlot(strategy, name: name, environment: environment)
        let former = state.withLock { state in state.slots.first { $0.name == name } }
        if let former { retire([former]) }
        let running = state.withLock { state -> Running?? in
            guard !state.isDestroyed else { return nil }
            if let position = state.slots.firstIndex(where: { $0.name == name }) {
                state.slots[position] = slot
            } else {
                state.slots.append(slot)
            }
            return state.running
        }
        guard let running else {
            return environment.log.w("StrategyManager", "\(name) was registered after its controller was destroyed")
        }
        if let controller = running?.controller, let model = running?.model { slot.start(controller, model: model) }
    }

    private func unregisterNow(_ name: String) {
        guard let slot = state.withLock({ state in state.slots.first { $0.name == name } }) else { return }
        retire([slot])
        state.withLock { state in state.slots.removeAll { $0 === slot } }
    }

    func startNow(_ controller: PlayerController, _ model: PlayedModel) {
        let slots = state.withLock { state -> [StrategySlot] in
            guard !state.isDestroyed else { return [] }
            state.running = Running(controller: controller, id: controller.id, model: model)
            return state.slots
        }
        for slot in slots { slot.start(controller, model: model) }
    }

    func resetNow(_ model: PlayedModel) {
        guard isStarted else { return }
        environment.dispatcher.barrier()
        let slots = state.withLock { state in
            state.running?.model = model
            return state.slots
        }
        for slot in slots { slot.reset(model) }
    }

    func stopNow() {
        let (slots, running) = state.withLock { ($0.slots, $0.running) }
        guard let running else { return }
        environment.dispatcher.barrier()
        for slot in slots { slot.stop(running.id) }
        state.withLock { $0.running = nil }
    }

    func destroyNow() {
        stopNow()
        retire(state.withLock { $0.slots }, limit: .max)
        state.withLock { state in
            state.slots = []
            state.isDestroyed = true
        }
    }

    /// Stops those that run and keeps their last status.
    private func retire(_ slots: [StrategySlot], limit: Int = formerLimit) {
        if let id = state.withLock({ $0.running?.id }) {
            environment.dispatcher.barrier()
            for slot in slots { slot.stop(id) }
        }
        for slot in slots { keep(Former(name: slot.name, status: slot.finalStatus), limit: limit) }
    }

    private func keep(_ gone: Former, limit: Int = formerLimit) {
        state.withLock { state in
            state.former.removeAll { $0.name == gone.name }
            if state.former.count < limit { state.former.append(gone) }
        }
    }

    /// Records a strategy factory that threw.
    func recordFailedFactory(index: Int, _ error: any Error) {
        recordNameless(
            "factory \(index + 1)", during: "create",
            "strategy factory \(index + 1) made no strategy, the rest goes on without it: \(error)")
    }

    private func recordNameless(_ name: String, during call: String, _ detail: String) {
        var row = StrategyStatus(name: name, id: nil, kinds: [], origin: "native", health: .refused)
        row.faults = [StrategyStatus.Fault(.exception, during: call, detail: detail)]
        keep(Former(name: name) { [row] in row })
        environment.log.e("StrategyManager", detail)
    }
}
