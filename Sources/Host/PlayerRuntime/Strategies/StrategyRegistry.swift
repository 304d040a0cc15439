// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Makes one strategy for one controller.
public typealias StrategyFactory = @Sendable () throws -> any StrategyProtocol

/// The strategies that every new controller gets. The built-in ones are registered when the registry is first used.
///
/// Thread: any.
public final class StrategyRegistry: Sendable {
    /// The registry of the process.
    public static let shared = StrategyRegistry()

    private struct State {
        var factories: [StrategyFactory] = []
        var builtIns: @Sendable () -> [StrategyFactory]
        var isFilled = false
    }

    private let state: Mutex<State>

    /// - Parameter builtIns: called once, on first use, and again at each `resetToDefault`.
    public init(builtIns: @escaping @Sendable () -> [StrategyFactory] = { [] }) {
        state = Mutex(State(builtIns: builtIns))
    }

    /// Says what the built-in strategies are. Takes effect on first use or at the next `resetToDefault`.
    public func setBuiltIns(_ provider: @escaping @Sendable () -> [StrategyFactory]) {
        state.withLock { $0.builtIns = provider }
    }

    /// Adds a factory behind those there are.
    public func addGlobalStrategyFactory(_ factory: @escaping StrategyFactory) {
        fill()
        state.withLock { $0.factories.append(factory) }
    }

    /// Removes every factory, the built-in ones too.
    public func clearGlobalStrategies() {
        state.withLock { state in
            state.factories = []
            state.isFilled = true
        }
    }

    /// Back to exactly the built-in strategies.
    public func resetToDefault() {
        state.withLock { state in
            state.factories = []
            state.isFilled = false
        }
        fill()
    }

    /// Makes one strategy of each factory, in their order, and registers it. A factory that throws is recorded with the manager,
    /// and the rest goes on.
    public func apply(to manager: StrategyManager) {
        fill()
        for (index, factory) in state.withLock({ $0.factories }).enumerated() {
            do {
                manager.register(try factory())
            } catch {
                manager.recordFailedFactory(index: index, error)
            }
        }
    }

    /// The provider is called without the lock: it may use the registry.
    private func fill() {
        let provider = state.withLock { state -> (@Sendable () -> [StrategyFactory])? in
            guard !state.isFilled else { return nil }
            state.isFilled = true
            return state.builtIns
        }
        guard let factories = provider?() else { return }
        state.withLock { $0.factories.insert(contentsOf: factories, at: 0) }
    }
}
