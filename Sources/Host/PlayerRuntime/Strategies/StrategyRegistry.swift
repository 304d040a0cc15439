// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
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
        var filling = Filling.needed
    }

    /// Whether the built-in factories are among the others.
    private enum Filling: Equatable {
        case needed
        /// By this thread, which may use the registry meanwhile.
        case underWay(thread: UInt)
        case done
    }

    private let state: Mutex<State>
    /// Where those wait who come while another thread looks for the built-in strategies.
    private let filled = Gate()

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
            state.filling = .done
        }
        filled.signal()
    }

    /// Back to exactly the built-in strategies.
    public func resetToDefault() {
        state.withLock { state in
            state.factories = []
            state.filling = .needed
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

    /// Has the built-in factories registered when it returns. The provider is called without the lock: it may use the registry.
    private func fill() {
        let thread = UInt(pthread_self())
        var provider: (@Sendable () -> [StrategyFactory])?
        filled.wait {
            state.withLock { state in
                switch state.filling {
                case .done: return true
                case .underWay(let filler): return filler == thread
                case .needed:
                    state.filling = .underWay(thread: thread)
                    provider = state.builtIns
                    return true
                }
            }
        }
        guard let factories = provider?() else { return }
        state.withLock { state in
            // Somebody who cleared the registry meanwhile wants none.
            guard state.filling == .underWay(thread: thread) else { return }
            state.factories.insert(contentsOf: factories, at: 0)
            state.filling = .done
        }
        filled.signal()
    }
}
