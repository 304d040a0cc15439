// SPDX-License-Identifier: Apache-2.0

package import PlayerRuntime
internal import PluginABI

/// A decision that is none: what is wrong with it, in one clause.
package struct InvalidDecision: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}

extension PoolDecision {
    /// Reads the plain values of an answer as the answer to `kind`. What only the pool can tell (unknown handles, players in use,
    /// duplicates, limits) is left to it.
    ///
    /// - Throws: if the action does not answer that kind of request, or a handle is 0.
    package init(
        action: UInt32, handle: UInt64, createCount: Int64, evict: [UInt64], for kind: PoolRequest.Kind
    ) throws(InvalidDecision) {
        guard !evict.contains(0) else { throw InvalidDecision("the list of handles to evict holds 0") }
        self.init(
            try PoolDecision.action(action, handle: handle, for: kind),
            evict: evict.map { PlayerHandle(rawValue: $0) })
        guard case .preload = kind else { return }
        guard createCount >= 0 else { throw InvalidDecision("create_count is \(createCount)") }
        self.createCount = createCount
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
        case (.preload, 0), (.clear, 0), (.resize, 0): return .none
        default: throw InvalidDecision("action \(action) does not answer this kind of request")
        }
    }
}
