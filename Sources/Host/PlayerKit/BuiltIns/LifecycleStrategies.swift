// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import PlayerRuntime
internal import Synchronization

/// A new player for every source, destroyed when it comes back; nothing is kept.
///
/// Thread: any.
public final class DefaultLifecycleStrategy: PooledLifecycleStrategy {
    /// What carries the decisions out.
    public let pool: PlayerPool

    /// - Throws: `plugin.failed` or `misc.invalid_configuration` if the built-in strategy is not there; `misc.illegal_state` before
    ///   `PlayerKit.setup`. The same holds for the others.
    public init() throws(PlayerError) {
        pool = try PlayerKit.makePool("default")
    }
}

/// Keeps players that come back and gives the warmest one out again, whatever is to be played on it.
///
/// Thread: any.
public final class ReusePoolLifecycleStrategy: PooledLifecycleStrategy {
    /// What carries the decisions out.
    public let pool: PlayerPool

    /// - Parameters:
    ///   - maxPoolSize: idle players that are kept, 1 to 4096.
    ///   - hardMax: players that may exist, in use or not, at least `maxPoolSize`; nil: any number.
    public init(maxPoolSize: Int64 = 3, hardMax: Int64? = nil) throws(PlayerError) {
        pool = try PlayerKit.makePool(
            "reuse-pool", ["max_pool_size": "\(maxPoolSize)", "hard_max": "\(hardMax ?? 0)"])
    }
}

/// Keeps one player for each unique id, in use or not, and gives up the least recently used where there are too many.
///
/// Thread: any.
public final class IdScopedPoolLifecycleStrategy: PooledLifecycleStrategy {
    /// What carries the decisions out.
    public let pool: PlayerPool

    /// - Parameters:
    ///   - maxPoolSize: players that are kept, 1 to 4096.
    ///   - hardMax: players that may exist, at least `maxPoolSize`; nil: any number.
    public init(maxPoolSize: Int64 = 3, hardMax: Int64? = nil) throws(PlayerError) {
        pool = try PlayerKit.makePool(
            "id-scoped-pool", ["max_pool_size": "\(maxPoolSize)", "hard_max": "\(hardMax ?? 0)"])
    }
}

/// One player for all controllers; the newest owner takes it over. Only a forced recycle destroys it.
///
/// Thread: any.
public final class SingletonLifecycleStrategy: PooledLifecycleStrategy {
    /// What carries the decisions out.
    public let pool: PlayerPool

    private static let made = Mutex<SingletonLifecycleStrategy?>(nil)

    private init() throws(PlayerError) {
        pool = try PlayerKit.makePool("singleton")
    }

    /// The one there is.
    public static var shared: SingletonLifecycleStrategy {
        get throws(PlayerError) {
            if let made = made.withLock({ $0 }) { return made }
            // Made without the lock, since a plugin is started; of two that are made at once the first stays.
            let new = try SingletonLifecycleStrategy()
            return made.withLock { made in
                if let made { return made }
                made = new
                return new
            }
        }
    }
}

extension PlayerKit {
    /// A pool under a built-in strategy.
    fileprivate static func makePool(_ name: String, _ options: [String: String] = [:]) throws(PlayerError)
        -> PlayerPool
    {
        var selection = StrategySelection()
        selection.lifecycle = name
        selection.monitors = []
        selection.settings = options.sorted { $0.key < $1.key }
            .map { StrategySelection.Setting(strategy: name, key: $0.key, text: $0.value) }
        guard let pool = try addStrategies(selection) else {
            throw PlayerError(
                .pluginFailed, "the built-in strategy \(name) decides nothing",
                hint: "Run make build in a source tree, or install the product again.")
        }
        return pool
    }
}
