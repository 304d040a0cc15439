// SPDX-License-Identifier: Apache-2.0

internal import PlayerRuntime
internal import PluginABI

/// Room for the answers of a lifecycle strategy in this process, one at a time. The plugin may write anywhere into the record it is
/// lent, so only counts and values are read back; the buffers are the host's own.
///
/// Thread: one at a time.
@safe
final class DecisionRecord {
    private var evict: [kit_player] = []
    private var prepare: [kit_prepare_v1] = []

    /// Has an answer to `request` written: no more players can be evicted than there are, no more items prepared than were announced.
    ///
    /// - Parameter read: what to do with the answer, after `write`.
    func answer<Outcome>(
        to request: PoolRequest, _ write: (UnsafeMutablePointer<kit_pool_decision_v1>) -> Outcome,
        _ read: (Outcome, () throws(InvalidDecision) -> PoolDecision) throws(PluginFault) -> PoolDecision?
    ) throws(PluginFault) -> PoolDecision? {
        let (evictRoom, prepareRoom) = (request.players.count, request.kind.prepareCapacity)
        evict.removeAll(keepingCapacity: true)
        evict.append(contentsOf: repeatElement(0, count: evictRoom))
        prepare.removeAll(keepingCapacity: true)
        prepare.append(contentsOf: repeatElement(kit_prepare_v1(), count: prepareRoom))
        var record = unsafe kit_pool_decision_v1()
        let outcome = unsafe evict.withUnsafeMutableBufferPointer { evict in
            unsafe prepare.withUnsafeMutableBufferPointer { prepare in
                unsafe record.struct_size = UInt32(MemoryLayout<kit_pool_decision_v1>.size)
                unsafe record.evict = evict.isEmpty ? nil : evict.baseAddress
                unsafe record.evict_capacity = UInt32(evictRoom)
                unsafe record.prepare = prepare.isEmpty ? nil : prepare.baseAddress
                unsafe record.prepare_capacity = UInt32(prepareRoom)
                unsafe record.prepare_stride = UInt32(MemoryLayout<kit_prepare_v1>.stride)
                return unsafe write(&record)
            }
        }
        return try read(outcome) { () throws(InvalidDecision) in
            let (evictCount, prepareCount) = unsafe (Int(record.evict_count), Int(record.prepare_count))
            guard evictCount <= evictRoom else {
                throw InvalidDecision("evict_count is \(evictCount), there is room for \(evictRoom)")
            }
            guard prepareCount <= prepareRoom else {
                throw InvalidDecision("prepare_count is \(prepareCount), there is room for \(prepareRoom)")
            }
            return try unsafe PoolDecision(
                PoolDecision.RawAnswer(
                    action: record.action, handle: record.handle, createCount: record.create_count,
                    evict: Array(evict[..<evictCount]),
                    prepare: prepare[..<prepareCount].map { ($0.item, $0.stage, $0.handle) }),
                for: request.kind)
        }
    }
}
