// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

extension PluginPoolRequest {
    /// Copies what the host lends.
    init(_ request: UnsafePointer<kit_pool_request_v1>?) throws {
        guard let request = unsafe request, unsafe request.pointee.struct_size >= MemoryLayout<kit_pool_request_v1>.size
        else { throw PluginFailure(.badArgument, "the request is null or too short") }
        let head = unsafe request.pointee
        unsafe self.init(
            try Question(head), now: head.now_us, maxPoolSize: known(head.max_pool_size), hardMax: known(head.hard_max))
        players = try unsafe elements(
            head.players, count: head.player_count, stride: head.player_stride, Player.init)
    }
}

extension PluginPoolRequest.Question {
    fileprivate init(_ request: kit_pool_request_v1) throws {
        switch unsafe (Int(request.kind), Int(request.reason)) {
        case (KIT_REQUEST_ACQUIRE, _):
            self = unsafe .acquire(uniqueID: String(request.unique_id), sourceKind: request.source_kind)
        case (KIT_REQUEST_RECYCLE, _):
            self = unsafe .recycle(
                player: request.handle, uniqueID: String(request.unique_id), force: request.flags & 1 != 0)
        case (KIT_REQUEST_PLAN, KIT_PLAN_PRELOAD): self = unsafe .preload(count: request.count)
        case (KIT_REQUEST_PLAN, KIT_PLAN_CLEAR): self = .clear
        case (KIT_REQUEST_PLAN, KIT_PLAN_RESIZE): self = .resize
        case (KIT_REQUEST_PLAN, KIT_PLAN_PRESSURE):
            self = unsafe .pressure(isCritical: request.level >= UInt32(KIT_PRESSURE_CRITICAL))
        case (KIT_REQUEST_PLAN, KIT_PLAN_IDLE): self = .idle
        case (KIT_REQUEST_PLAN, KIT_PLAN_UPCOMING):
            self = .upcoming(
                try unsafe elements(
                    request.upcoming, count: request.upcoming_count, stride: request.upcoming_stride,
                    PluginPoolRequest.Upcoming.init))
        default: self = unsafe .unknown(kind: request.kind, reason: request.reason)
        }
    }
}

extension PluginPoolRequest.Player {
    fileprivate init(_ player: kit_player_v1) {
        unsafe self.init(
            handle: player.handle, condition: PluginPoolRequest.Condition(rawValue: player.state) ?? .active,
            isPlaying: player.flags & UInt32(KIT_PLAYER_PLAYING) != 0,
            isLent: player.flags & UInt32(KIT_PLAYER_LENT) != 0, stage: player.stage,
            uniqueID: String(player.unique_id), bytesHeld: known(player.bytes_held),
            createdSequence: player.created_seq, acquiredSequence: player.acquired_seq, idleSequence: player.idle_seq)
    }
}

extension PluginPoolRequest.Upcoming {
    fileprivate init(_ item: kit_upcoming_v1) {
        unsafe self.init(
            distance: item.distance, uniqueID: String(item.unique_id), handle: item.handle, stage: item.stage)
    }
}

private func known(_ value: Int64) -> Int64? {
    value == PluginEvent.unknown ? nil : value
}

/// Copies an array of the ABI: pointer, count and stride.
private func elements<Record, Element>(
    _ first: UnsafePointer<Record>?, count: UInt32, stride: UInt32, _ make: (Record) -> Element
) throws -> [Element] {
    guard let first = unsafe UnsafeRawPointer(first), count > 0 else { return [] }
    guard stride >= MemoryLayout<Record>.size else { throw PluginFailure(.badArgument, "a stride is \(stride)") }
    return (0..<Int(count)).map { index in
        make(unsafe first.loadUnaligned(fromByteOffset: index * Int(stride), as: Record.self))
    }
}
