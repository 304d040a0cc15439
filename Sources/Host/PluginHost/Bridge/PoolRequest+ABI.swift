// SPDX-License-Identifier: Apache-2.0

internal import PlayerRuntime
internal import PluginABI

/// A request about a pool as C sees it, in memory that is used again for the next.
///
/// Thread: one at a time.
@safe
final class RequestBuffer {
    private var texts: [UInt8] = []
    private var players: [kit_player_v1] = unsafe []
    private var upcoming: [kit_upcoming_v1] = unsafe []

    /// Lends a request to C as a `kit_pool_request_v1` with everything it points to.
    func lend<Result>(
        _ request: PoolRequest, _ body: (UnsafePointer<kit_pool_request_v1>) throws -> Result
    ) rethrows -> Result {
        var (fixed, uniqueID, items) = unsafe request.fixedPart
        // All texts first: what points to them must not see them move.
        texts.removeAll(keepingCapacity: true)
        for player in request.players { texts.append(contentsOf: player.uniqueID.utf8) }
        for item in items { texts.append(contentsOf: item.uniqueID.utf8) }
        texts.append(contentsOf: uniqueID.utf8)
        return try unsafe texts.withUnsafeBufferPointer { base in
            var offset = 0
            unsafe players.removeAll(keepingCapacity: true)
            for player in request.players {
                unsafe players.append(player.record(uniqueID: RequestBuffer.text(player.uniqueID, &offset, in: base)))
            }
            unsafe upcoming.removeAll(keepingCapacity: true)
            for item in items {
                unsafe upcoming.append(item.record(uniqueID: RequestBuffer.text(item.uniqueID, &offset, in: base)))
            }
            unsafe fixed.unique_id = RequestBuffer.text(uniqueID, &offset, in: base)
            return try unsafe players.withUnsafeBufferPointer { players in
                try unsafe upcoming.withUnsafeBufferPointer { upcoming in
                    unsafe fixed.players = players.isEmpty ? nil : players.baseAddress
                    unsafe fixed.player_count = UInt32(players.count)
                    unsafe fixed.upcoming = upcoming.isEmpty ? nil : upcoming.baseAddress
                    unsafe fixed.upcoming_count = UInt32(upcoming.count)
                    return try unsafe withUnsafePointer(to: fixed) { try unsafe body($0) }
                }
            }
        }
    }

    /// Where the next text lies.
    private static func text(
        _ text: String, _ offset: inout Int, in base: UnsafeBufferPointer<UInt8>
    ) -> kit_str {
        let start = offset
        offset += text.utf8.count
        return unsafe TextArena.text(start..<offset, in: base)
    }
}

extension PoolRequest {
    /// Every member that points nowhere, and what the others are made of.
    fileprivate var fixedPart: (kit_pool_request_v1, uniqueID: String, upcoming: [Upcoming]) {
        var request = unsafe kit_pool_request_v1()
        unsafe request.struct_size = UInt32(MemoryLayout<kit_pool_request_v1>.size)
        unsafe request.now_us = nowMicroseconds
        unsafe request.max_pool_size = maxPoolSize ?? .min
        unsafe request.hard_max = hardMax ?? .min
        unsafe request.player_stride = UInt32(MemoryLayout<kit_player_v1>.stride)
        unsafe request.upcoming_stride = UInt32(MemoryLayout<kit_upcoming_v1>.stride)
        unsafe request.kind = UInt32(KIT_REQUEST_PLAN)
        switch kind {
        case .acquire(let uniqueID, let sourceKind):
            unsafe request.kind = UInt32(KIT_REQUEST_ACQUIRE)
            unsafe request.source_kind = sourceKind.rawValue
            return unsafe (request, uniqueID, [])
        case .recycle(let player, let uniqueID, let force):
            unsafe request.kind = UInt32(KIT_REQUEST_RECYCLE)
            unsafe request.flags = force ? UInt32(KIT_REQUEST_FORCE) : 0
            unsafe request.handle = player.rawValue
            return unsafe (request, uniqueID, [])
        case .preload(let count):
            unsafe request.reason = UInt32(KIT_PLAN_PRELOAD)
            unsafe request.count = count
        case .clear:
            unsafe request.reason = UInt32(KIT_PLAN_CLEAR)
            unsafe request.level = UInt32(KIT_SCOPE_ALL)
        case .resize: unsafe request.reason = UInt32(KIT_PLAN_RESIZE)
        case .pressure(let pressure):
            unsafe request.reason = UInt32(KIT_PLAN_PRESSURE)
            unsafe request.level = pressure.rawValue
        case .idle: unsafe request.reason = UInt32(KIT_PLAN_IDLE)
        case .upcoming(let items):
            unsafe request.reason = UInt32(KIT_PLAN_UPCOMING)
            return unsafe (request, "", items)
        }
        return unsafe (request, "", [])
    }
}

extension PoolRequest.Player {
    fileprivate func record(uniqueID: kit_str) -> kit_player_v1 {
        let flags = (isPlaying ? KIT_PLAYER_PLAYING : 0) | (isLent ? KIT_PLAYER_LENT : 0)
        return unsafe kit_player_v1(
            struct_size: UInt32(MemoryLayout<kit_player_v1>.size), state: condition.rawValue, flags: UInt32(flags),
            stage: stage.rawValue, handle: handle.rawValue, unique_id: uniqueID, bytes_held: .min,
            created_seq: createdSequence, acquired_seq: acquiredSequence, idle_seq: idleSequence)
    }
}

extension PoolRequest.Upcoming {
    fileprivate func record(uniqueID: kit_str) -> kit_upcoming_v1 {
        unsafe kit_upcoming_v1(
            struct_size: UInt32(MemoryLayout<kit_upcoming_v1>.size), distance: distance, unique_id: uniqueID,
            handle: player?.rawValue ?? 0, stage: stage.rawValue, reserved: 0)
    }
}
