// SPDX-License-Identifier: Apache-2.0

internal import PlayerRuntime
internal import PluginABI

/// A request about a pool as C sees it, in memory that is used again for the next.
///
/// Thread: one at a time.
@safe
final class RequestBuffer {
    private var players: UnsafeMutableBufferPointer<kit_player_v1>

    init() {
        unsafe players = .allocate(capacity: 8)
    }

    deinit {
        unsafe players.deallocate()
    }

    /// Lends a request to C as a `kit_pool_request_v1` with everything it points to.
    func lend<Result>(
        _ request: PoolRequest, _ body: (UnsafePointer<kit_pool_request_v1>) throws -> Result
    ) rethrows -> Result {
        var fixed = unsafe request.fixedPart
        unsafe fixed.player_count = UInt32(request.players.count)
        unsafe fixed.players = fill(request.players)
        var uniqueID = request.kind.uniqueID
        return try uniqueID.withUTF8 { bytes in
            unsafe fixed.unique_id = TextArena.text(bytes.indices, in: bytes)
            // What is written of the players points to the texts of the request.
            return try withExtendedLifetime(request.players) {
                guard case .upcoming(let items) = request.kind else { return try unsafe body(&fixed) }
                return try unsafe RequestBuffer.lend(items) { upcoming in
                    unsafe fixed.upcoming = upcoming.isEmpty ? nil : upcoming.baseAddress
                    unsafe fixed.upcoming_count = UInt32(upcoming.count)
                    return try unsafe body(&fixed)
                }
            }
        }
    }

    /// - Returns: nil without players.
    private func fill(_ seen: [PoolRequest.Player]) -> UnsafePointer<kit_player_v1>? {
        guard !seen.isEmpty else { return nil }
        if unsafe seen.count > players.count {
            unsafe players.deallocate()
            unsafe players = .allocate(capacity: 2 * seen.count)
        }
        let records = unsafe players
        unsafe seen.withUnsafeBufferPointer { seen in
            for index in seen.indices { unsafe records.initializeElement(at: index, to: seen[index].record) }
        }
        return unsafe UnsafePointer(records.baseAddress)
    }

    /// Announced items with their texts, which are few and seldom asked about.
    private static func lend<Result>(
        _ items: [PoolRequest.Upcoming], _ body: (UnsafeBufferPointer<kit_upcoming_v1>) throws -> Result
    ) rethrows -> Result {
        let texts = items.map { StableText($0.uniqueID) }
        let records = unsafe zip(items, texts).map { unsafe $0.record(uniqueID: $1) }
        return try withExtendedLifetime(texts) {
            try unsafe records.withUnsafeBufferPointer { try unsafe body($0) }
        }
    }
}

extension PoolRequest.Kind {
    /// Empty where there is none.
    fileprivate var uniqueID: String {
        switch self {
        case .acquire(let uniqueID, _), .recycle(_, let uniqueID, _): uniqueID
        case .preload, .clear, .resize, .pressure, .idle, .upcoming: ""
        }
    }
}

extension PoolRequest {
    /// Every member that points nowhere.
    fileprivate var fixedPart: kit_pool_request_v1 {
        var request = unsafe kit_pool_request_v1()
        unsafe request.struct_size = UInt32(MemoryLayout<kit_pool_request_v1>.size)
        unsafe request.now_us = nowMicroseconds
        unsafe request.max_pool_size = maxPoolSize ?? .min
        unsafe request.hard_max = hardMax ?? .min
        unsafe request.player_stride = UInt32(MemoryLayout<kit_player_v1>.stride)
        unsafe request.upcoming_stride = UInt32(MemoryLayout<kit_upcoming_v1>.stride)
        unsafe request.kind = UInt32(KIT_REQUEST_PLAN)
        switch kind {
        case .acquire(_, let sourceKind):
            unsafe request.kind = UInt32(KIT_REQUEST_ACQUIRE)
            unsafe request.source_kind = sourceKind.rawValue
        case .recycle(let player, _, let force):
            unsafe request.kind = UInt32(KIT_REQUEST_RECYCLE)
            unsafe request.flags = force ? UInt32(KIT_REQUEST_FORCE) : 0
            unsafe request.handle = player.rawValue
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
        case .upcoming: unsafe request.reason = UInt32(KIT_PLAN_UPCOMING)
        }
        return unsafe request
    }
}

extension PoolRequest.Player {
    /// Points to the text of its id, which lives as long as the request.
    fileprivate var record: kit_player_v1 {
        let flags = (isPlaying ? KIT_PLAYER_PLAYING : 0) | (isLent ? KIT_PLAYER_LENT : 0)
        return unsafe kit_player_v1(
            struct_size: UInt32(MemoryLayout<kit_player_v1>.size), state: condition.rawValue, flags: UInt32(flags),
            stage: stage.rawValue, handle: handle.rawValue,
            unique_id: kit_str(ptr: text.start, len: UInt64(text.count)),
            bytes_held: .min, created_seq: createdSequence, acquired_seq: acquiredSequence, idle_seq: idleSequence)
    }
}

extension PoolRequest.Upcoming {
    fileprivate func record(uniqueID: StableText) -> kit_upcoming_v1 {
        unsafe kit_upcoming_v1(
            struct_size: UInt32(MemoryLayout<kit_upcoming_v1>.size), distance: distance,
            unique_id: kit_str(ptr: uniqueID.start, len: UInt64(uniqueID.count)),
            handle: player?.rawValue ?? 0, stage: stage.rawValue, reserved: 0)
    }
}
