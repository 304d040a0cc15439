// SPDX-License-Identifier: Apache-2.0

public import PluginSupport

/// Makes a player for every lease and destroys it when it comes back. A pure function of the request.
///
/// Purpose: the least memory, and what an application has that chooses nothing. Inputs: how many players there
/// are and may be. Tunables: none. Cost: constant.
public final class DefaultLifecycle: LifecyclePlugin {
    public init(options: PluginOptions) {}

    public func decide(_ request: PluginPoolRequest) -> PluginPoolDecision? {
        switch request.question {
        case .acquire:
            PluginPoolDecision(Int64(request.players.count) < request.hardMax ?? .max ? .create : .refuse)
        case .recycle: PluginPoolDecision(.destroy)
        // It keeps no players, so there is nothing to plan.
        case .preload, .clear, .resize, .pressure, .idle, .upcoming, .unknown: nil
        }
    }
}
