// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import PluginStrategies
import PluginSupport
import TestSupport
import Testing

/// The logic of a built-in strategy, asked without a shared library in between.
final class SwiftPolicy: LifecyclePolicy {
    let policyName: String
    let takesOver: Bool
    let bindsIDs: Bool
    let maxPoolSize: Int64?
    // The pool asks it one question at a time.
    nonisolated(unsafe) private let strategy: any LifecyclePlugin

    init(_ id: BuiltIn, maxPoolSize: Int64?, options: [(key: String, value: PluginOptions.Value)]) throws {
        policyName = id.rawValue
        takesOver = id == .singleton || id == .idScopedPool
        bindsIDs = id == .idScopedPool
        self.maxPoolSize = maxPoolSize
        let size = maxPoolSize.map { [(key: "max_pool_size", value: PluginOptions.Value.int($0))] } ?? []
        let options = PluginOptions(size + options)
        unsafe strategy =
            switch id {
            case .default: DefaultLifecycle(options: options)
            case .reusePool: try ReusePool(options: options)
            case .idScopedPool: try IdScopedPool(options: options)
            case .singleton: Singleton(options: options)
            }
    }

    func decide(_ request: PoolRequest) throws -> PoolDecision? {
        try unsafe strategy.decide(PluginPoolRequest(request)).map(PoolDecision.init)
    }
}

extension PluginPoolRequest {
    init(_ request: PoolRequest) {
        self.init(
            Question(request.kind), now: request.nowMicroseconds,
            players: request.players.map { player in
                Player(
                    handle: player.handle.rawValue,
                    condition: Condition(rawValue: player.condition.rawValue) ?? .active,
                    isPlaying: player.isPlaying, isLent: player.isLent, stage: player.stage.rawValue,
                    uniqueID: PluginText(player.uniqueID), createdSequence: player.createdSequence,
                    acquiredSequence: player.acquiredSequence, idleSequence: player.idleSequence)
            },
            maxPoolSize: request.maxPoolSize, hardMax: request.hardMax)
    }
}

extension PluginPoolRequest.Question {
    fileprivate init(_ kind: PoolRequest.Kind) {
        switch kind {
        case .acquire(let id, let source): self = .acquire(uniqueID: PluginText(id), sourceKind: source.rawValue)
        case .recycle(let player, let id, let force):
            self = .recycle(player: player.rawValue, uniqueID: PluginText(id), force: force)
        case .preload(let count): self = .preload(count: count)
        case .clear: self = .clear
        case .resize: self = .resize
        case .pressure(let pressure): self = .pressure(isCritical: pressure == .critical)
        case .idle: self = .idle
        case .upcoming(let items):
            self = .upcoming(
                items.map {
                    PluginPoolRequest.Upcoming(
                        distance: $0.distance, uniqueID: PluginText($0.uniqueID), handle: $0.player?.rawValue ?? 0,
                        stage: $0.stage.rawValue)
                })
        }
    }
}

extension PoolDecision {
    fileprivate init(_ decision: PluginPoolDecision) {
        let action: Action =
            switch decision.action {
            case .none: .none
            case .create: .create
            case .use(let handle): .use(PlayerHandle(rawValue: handle))
            case .refuse: .refuse
            case .keep: .keep
            case .destroy: .destroy
            }
        self.init(
            action, createCount: decision.createCount, evict: decision.evict.map(PlayerHandle.init(rawValue:)),
            prepare: decision.prepare.map {
                Preparation(
                    item: Int($0.item), stage: PoolRequest.Stage(rawValue: $0.stage) ?? .none,
                    player: $0.handle == 0 ? nil : PlayerHandle(rawValue: $0.handle))
            })
    }
}
