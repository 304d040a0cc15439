// SPDX-License-Identifier: Apache-2.0

package import PlayerRuntime
internal import PluginABI
internal import WorkerWire

/// The answer of a lifecycle strategy as it crossed the wire.
package struct WireDecision: Hashable, Sendable {
    package var result: KitResult
    private var action: UInt32
    private var handle: UInt64
    private var createCount: Int64
    private var evictCount: UInt32
    private var prepareCount: UInt32
    private var evict: [UInt64]

    init(_ reader: WireReader, evictCapacity: Int) throws(WireFault) {
        let body = try reader.load(kitw_decision.self)
        result = KitResult(rawValue: body.result)
        action = body.action
        handle = body.handle
        createCount = body.create_count
        evictCount = body.evict_count
        prepareCount = body.prepare_count
        evict = try reader.array(
            of: UInt64.self, count: min(Int(body.evict_count), evictCapacity), at: body.evict_offset)
    }

    /// The decision as an answer to `kind`.
    package func decision(for kind: PoolRequest.Kind) throws(InvalidDecision) -> PoolDecision {
        guard Int(evictCount) == evict.count else {
            throw InvalidDecision("evict_count is \(evictCount), there is room for \(evict.count)")
        }
        guard prepareCount == 0 else {
            throw InvalidDecision("prepare_count is \(prepareCount), there is room for 0")
        }
        return try PoolDecision(action: action, handle: handle, createCount: createCount, evict: evict, for: kind)
    }
}
