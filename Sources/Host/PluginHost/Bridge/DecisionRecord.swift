// SPDX-License-Identifier: Apache-2.0

internal import PlayerRuntime
internal import PluginABI

/// Room for one answer of a lifecycle strategy in this process. The plugin may write anywhere into the record it is lent, so
/// only counts and values are read back; the buffers are the host's own.
@safe
struct DecisionRecord: ~Copyable {
    private let evict: UnsafeMutableBufferPointer<kit_player>
    private let record: UnsafeMutablePointer<kit_pool_decision_v1>

    /// Makes room for the answer to `request`: no more players can be evicted than there are.
    init(for request: PoolRequest) {
        unsafe evict = .allocate(capacity: request.players.count)
        unsafe evict.initialize(repeating: 0)
        unsafe record = .allocate(capacity: 1)
        var blank = unsafe kit_pool_decision_v1()
        unsafe blank.struct_size = UInt32(MemoryLayout<kit_pool_decision_v1>.size)
        unsafe blank.evict = evict.isEmpty ? nil : evict.baseAddress
        unsafe blank.evict_capacity = UInt32(evict.count)
        unsafe blank.prepare_stride = UInt32(MemoryLayout<kit_prepare_v1>.stride)
        unsafe record.initialize(to: blank)
    }

    deinit {
        unsafe evict.deallocate()
        unsafe record.deallocate()
    }

    /// What the plugin is lent for the call.
    var pointer: UnsafeMutablePointer<kit_pool_decision_v1> { unsafe record }

    /// Reads the answer.
    func decision(for kind: PoolRequest.Kind) throws(InvalidDecision) -> PoolDecision {
        let answer = unsafe record.pointee
        let count = unsafe Int(answer.evict_count)
        guard unsafe count <= evict.count else {
            throw unsafe InvalidDecision("evict_count is \(count), there is room for \(evict.count)")
        }
        guard unsafe answer.prepare_count == 0 else {
            throw unsafe InvalidDecision("prepare_count is \(answer.prepare_count), there is room for 0")
        }
        return try unsafe PoolDecision(
            action: answer.action, handle: answer.handle, createCount: answer.create_count,
            evict: Array(evict[..<count]), for: kind)
    }
}
