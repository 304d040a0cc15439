// SPDX-License-Identifier: Apache-2.0

package import PlayerRuntime
package import PluginABI

extension PoolRequest {
    /// Lends the request to C as a `kit_pool_request_v1` with everything it points to.
    package func withABI<Result>(_ body: (UnsafePointer<kit_pool_request_v1>) throws -> Result) rethrows -> Result {
        var arena = TextArena()
        let identities = players.map { arena.add($0.uniqueID) }
        let (fixed, uniqueID) = unsafe fixedPart
        let identity = arena.add(uniqueID)
        return try unsafe arena.bytes.withUnsafeBufferPointer { base in
            let records = unsafe zip(players, identities).map {
                unsafe $0.record(uniqueID: TextArena.text($1, in: base))
            }
            return try unsafe records.withUnsafeBufferPointer { records in
                var request = unsafe fixed
                unsafe request.unique_id = TextArena.text(identity, in: base)
                unsafe request.players = records.isEmpty ? nil : records.baseAddress
                unsafe request.player_count = UInt32(records.count)
                unsafe request.player_stride = UInt32(MemoryLayout<kit_player_v1>.stride)
                return try unsafe withUnsafePointer(to: request) { try unsafe body($0) }
            }
        }
    }

    /// Every member that points nowhere, and the unique id.
    private var fixedPart: (kit_pool_request_v1, String) {
        var request = unsafe kit_pool_request_v1()
        unsafe request.struct_size = UInt32(MemoryLayout<kit_pool_request_v1>.size)
        unsafe request.now_us = nowMicroseconds
        unsafe request.max_pool_size = maxPoolSize ?? .min
        unsafe request.hard_max = hardMax ?? .min
        unsafe request.upcoming_stride = UInt32(MemoryLayout<kit_upcoming_v1>.stride)
        var identity = ""
        switch kind {
        case .acquire(let uniqueID, let sourceKind):
            unsafe request.kind = UInt32(KIT_REQUEST_ACQUIRE)
            unsafe request.source_kind = sourceKind.rawValue
            identity = uniqueID
        case .recycle(let player, let uniqueID, let force):
            unsafe request.kind = UInt32(KIT_REQUEST_RECYCLE)
            unsafe request.flags = force ? 1 : 0
            unsafe request.handle = player.rawValue
            identity = uniqueID
        case .preload(let count):
            unsafe request.kind = UInt32(KIT_REQUEST_PLAN)
            unsafe request.reason = UInt32(KIT_PLAN_PRELOAD)
            unsafe request.count = count
        case .clear:
            unsafe request.kind = UInt32(KIT_REQUEST_PLAN)
            unsafe request.reason = UInt32(KIT_PLAN_CLEAR)
            unsafe request.level = UInt32(KIT_SCOPE_ALL)
        case .resize:
            unsafe request.kind = UInt32(KIT_REQUEST_PLAN)
            unsafe request.reason = UInt32(KIT_PLAN_RESIZE)
        }
        return unsafe (request, identity)
    }
}

extension PoolRequest.Player {
    fileprivate func record(uniqueID: kit_str) -> kit_player_v1 {
        var record = unsafe kit_player_v1()
        unsafe record.struct_size = UInt32(MemoryLayout<kit_player_v1>.size)
        unsafe record.state = condition.rawValue
        unsafe record.flags = isPlaying ? UInt32(KIT_PLAYER_PLAYING) : 0
        unsafe record.stage = UInt32(KIT_STAGE_NONE)
        unsafe record.handle = handle.rawValue
        unsafe record.unique_id = uniqueID
        unsafe record.bytes_held = .min
        unsafe record.created_seq = createdSequence
        unsafe record.acquired_seq = acquiredSequence
        unsafe record.idle_seq = idleSequence
        return unsafe record
    }
}
