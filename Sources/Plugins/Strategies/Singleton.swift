// SPDX-License-Identifier: Apache-2.0

public import PluginSupport

/// One player for everybody; the newest owner takes it over. A pure function of the request.
///
/// Purpose: lists in which one item plays at a time, with the least memory. Inputs: the players that exist.
/// Tunables: `idle_timeout_ms` (when the host asks whether the player may go; default 0, never). Cost: constant.
public final class Singleton: LifecyclePlugin {
    public init(options: PluginOptions) {}

    public func decide(_ request: PluginPoolRequest) -> PluginPoolDecision? {
        switch request.question {
        case .acquire: PluginPoolDecision(only(request).map { .use($0.handle) } ?? .create)
        case .recycle(_, _, let force): PluginPoolDecision(force ? .destroy : .keep)
        case .preload(let count): PluginPoolDecision(.none, createCount: count > 0 && only(request) == nil ? 1 : 0)
        // The one player outlives a clear; only force destroys it.
        case .clear, .resize, .upcoming, .pressure(isCritical: false): PluginPoolDecision(.none)
        case .pressure(isCritical: true), .idle: PluginPoolDecision(.none, evict: request.players.notInUse)
        case .unknown: nil
        }
    }

    private func only(_ request: PluginPoolRequest) -> PluginPoolRequest.Player? {
        var players = request.players.makeIterator()
        return players.next()
    }
}
