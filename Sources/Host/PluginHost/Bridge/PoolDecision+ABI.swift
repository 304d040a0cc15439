// SPDX-License-Identifier: Apache-2.0

package import PlayerRuntime
internal import PluginABI

/// An answer that cannot be carried out: what is wrong with it, in one clause.
package struct InvalidDecision: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

extension PoolDecision {
    /// The plain values of an answer, as they stand in a `kit_pool_decision_v1` or crossed the wire.
    package struct RawAnswer {
        package var action: UInt32
        package var handle: UInt64
        package var createCount: Int64
        package var evict: [UInt64]
        package var prepare: [(item: UInt32, stage: UInt32, handle: UInt64)]

        package init(
            action: UInt32, handle: UInt64 = 0, createCount: Int64 = 0, evict: [UInt64] = [],
            prepare: [(item: UInt32, stage: UInt32, handle: UInt64)] = []
        ) {
            self.action = action
            self.handle = handle
            self.createCount = createCount
            self.evict = evict
            self.prepare = prepare
        }
    }

    /// Reads an answer to `kind`. What only the pool can tell (unknown handles, players in use, duplicates, limits) is left to it.
    ///
    /// - Throws: if the action does not answer that kind of request, a handle to evict is 0, or a stage is none that is known.
    package init(_ answer: RawAnswer, for kind: PoolRequest.Kind) throws(InvalidDecision) {
        guard !answer.evict.contains(0) else { throw InvalidDecision("the list of handles to evict holds 0") }
        self.init(
            try PoolDecision.action(answer.action, handle: answer.handle, for: kind),
            evict: answer.evict.map { PlayerHandle(rawValue: $0) })
        switch kind {
        case .preload:
            guard answer.createCount >= 0 else { throw InvalidDecision("create_count is \(answer.createCount)") }
            createCount = answer.createCount
        case .upcoming:
            for entry in answer.prepare {
                guard let stage = PoolRequest.Stage(rawValue: entry.stage) else {
                    throw InvalidDecision("stage \(entry.stage) is none that is known")
                }
                prepare.append(
                    Preparation(
                        item: Int(entry.item), stage: stage,
                        player: entry.handle == 0 ? nil : PlayerHandle(rawValue: entry.handle)))
            }
        default:
            guard answer.prepare.isEmpty else {
                throw InvalidDecision("prepare_count is \(answer.prepare.count), there is room for 0")
            }
        }
    }

    private static func action(
        _ action: UInt32, handle: UInt64, for kind: PoolRequest.Kind
    ) throws(InvalidDecision) -> Action {
        switch (kind, Int(action)) {
        case (.acquire, KIT_ACQUIRE_CREATE): return .create
        case (.acquire, KIT_ACQUIRE_USE):
            guard handle != 0 else { throw InvalidDecision("KIT_ACQUIRE_USE names no player") }
            return .use(PlayerHandle(rawValue: handle))
        case (.acquire, KIT_ACQUIRE_REFUSE): return .refuse
        case (.recycle, KIT_RECYCLE_KEEP): return .keep
        case (.recycle, KIT_RECYCLE_DESTROY): return .destroy
        case (.acquire, _), (.recycle, _): break
        case (_, 0): return .none
        default: break
        }
        throw InvalidDecision("action \(action) does not answer this kind of request")
    }
}

extension PoolRequest.Kind {
    /// How many things an answer may prepare.
    var prepareCapacity: Int {
        if case .upcoming(let items) = self { items.count } else { 0 }
    }
}
