// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

extension PluginPoolRequest {
    /// Takes what the host lends until `decide` returns.
    init(_ request: UnsafePointer<kit_pool_request_v1>?) throws {
        guard let request = unsafe request, unsafe request.pointee.struct_size >= MemoryLayout<kit_pool_request_v1>.size
        else { throw PluginFailure(.badArgument, "the request is null or too short") }
        let head = unsafe request.pointee
        unsafe self.init(
            try Question(head), now: head.now_us, players: try PluginPlayers(head),
            maxPoolSize: head.max_pool_size == PluginEvent.unknown ? nil : head.max_pool_size,
            hardMax: head.hard_max == PluginEvent.unknown ? nil : head.hard_max)
    }
}

extension PluginPoolRequest.Question {
    fileprivate init(_ request: kit_pool_request_v1) throws {
        switch unsafe (Int(request.kind), Int(request.reason)) {
        case (KIT_REQUEST_ACQUIRE, _):
            self = unsafe .acquire(uniqueID: PluginText(request.unique_id), sourceKind: request.source_kind)
        case (KIT_REQUEST_RECYCLE, _):
            self = unsafe .recycle(
                player: request.handle, uniqueID: PluginText(request.unique_id),
                force: request.flags & UInt32(KIT_REQUEST_FORCE) != 0)
        case (KIT_REQUEST_PLAN, KIT_PLAN_PRELOAD): self = unsafe .preload(count: request.count)
        case (KIT_REQUEST_PLAN, KIT_PLAN_CLEAR): self = .clear
        case (KIT_REQUEST_PLAN, KIT_PLAN_RESIZE): self = .resize
        case (KIT_REQUEST_PLAN, KIT_PLAN_PRESSURE):
            self = unsafe .pressure(isCritical: request.level >= UInt32(KIT_PRESSURE_CRITICAL))
        case (KIT_REQUEST_PLAN, KIT_PLAN_IDLE): self = .idle
        case (KIT_REQUEST_PLAN, KIT_PLAN_UPCOMING): self = .upcoming(try unsafe announced(in: request))
        default: self = unsafe .unknown(kind: request.kind, reason: request.reason)
        }
    }
}

extension PluginPoolRequest.Upcoming {
    fileprivate init(_ item: kit_upcoming_v1) {
        unsafe self.init(
            distance: item.distance, uniqueID: PluginText(item.unique_id), handle: item.handle, stage: item.stage)
    }
}

private func announced(in request: kit_pool_request_v1) throws -> [PluginPoolRequest.Upcoming] {
    guard let items = unsafe request.upcoming, unsafe request.upcoming_count > 0 else { return [] }
    let first = unsafe UnsafeRawPointer(items)
    let stride = unsafe Int(request.upcoming_stride)
    guard unsafe stride >= MemoryLayout<kit_upcoming_v1>.size else {
        throw PluginFailure(.badArgument, "a stride is \(stride)")
    }
    let count = unsafe Int(request.upcoming_count)
    return (0..<count).map { index in
        unsafe PluginPoolRequest.Upcoming(
            first.loadUnaligned(fromByteOffset: index * stride, as: kit_upcoming_v1.self))
    }
}
