// SPDX-License-Identifier: Apache-2.0

internal import PluginSupport

/// The options that pools of more than one player share, checked against each other.
struct PoolSize {
    /// Players that are kept, unless the pool has a size of its own.
    let maxPoolSize: Int64
    /// Idle players that trimming leaves.
    let minIdle: Int64

    init(_ options: PluginOptions) throws {
        maxPoolSize = options.int("max_pool_size") ?? 3
        minIdle = options.int("min_idle") ?? 0
        guard maxPoolSize > 0, minIdle >= 0 else {
            throw PluginFailure(.config, "max_pool_size must be at least 1 and min_idle at least 0")
        }
        guard minIdle <= maxPoolSize else {
            throw PluginFailure(.config, "min_idle (\(minIdle)) is above max_pool_size (\(maxPoolSize))")
        }
        // The host keeps to it; a bound below what is to be kept contradicts it.
        guard let hardMax = options.int("hard_max"), hardMax != 0 else { return }
        guard hardMax >= maxPoolSize else {
            throw PluginFailure(.config, "hard_max (\(hardMax)) is below max_pool_size (\(maxPoolSize))")
        }
    }

    func limit(of request: PluginPoolRequest) -> Int64 {
        max(0, request.maxPoolSize ?? maxPoolSize)
    }

    /// What an idle time-out or pressure gives up.
    func trim(_ request: PluginPoolRequest) -> PluginPoolDecision {
        let idle = KeptPlayers(request.players).idle
        return PluginPoolDecision(.none, evict: request.players.longestIdle(idle - minIdle))
    }
}
