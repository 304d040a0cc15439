// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// The answer of a lifecycle strategy.
public struct PluginPoolDecision: Hashable, Sendable {
    public enum Action: Hashable, Sendable {
        /// For plans.
        case none
        /// For acquire: a new player, this one, none.
        case create
        case use(UInt64)
        case refuse
        /// For recycle.
        case keep
        case destroy
    }

    /// One item to bring to a stage ahead of its use.
    public struct Preparation: Hashable, Sendable {
        /// Index into the upcoming items.
        public var item: UInt32
        /// `KIT_STAGE_*`.
        public var stage: UInt32
        /// In which player; 0: in one to be created.
        public var handle: UInt64

        public init(item: UInt32, stage: UInt32, handle: UInt64 = 0) {
            self.item = item
            self.stage = stage
            self.handle = handle
        }
    }

    public var action: Action
    /// For a preload: how many players to create.
    public var createCount: Int64
    /// Handles, executed in this order.
    public var evict: [UInt64]
    public var prepare: [Preparation]

    public init(_ action: Action, createCount: Int64 = 0, evict: [UInt64] = [], prepare: [Preparation] = []) {
        self.action = action
        self.createCount = createCount
        self.evict = evict
        self.prepare = prepare
    }

    /// Writes the answer into the host's record and buffers.
    ///
    /// - Throws: `limit` if the host gave too little room.
    func write(to answer: UnsafeMutablePointer<kit_pool_decision_v1>?) throws {
        guard let answer = unsafe answer, unsafe answer.pointee.struct_size >= MemoryLayout<kit_pool_decision_v1>.size
        else { throw PluginFailure(.badArgument, "the decision is null or too short") }
        guard
            unsafe evict.count <= Int(answer.pointee.evict_capacity),
            unsafe prepare.count <= Int(answer.pointee.prepare_capacity)
        else { throw PluginFailure(.limit, "the decision has more entries than there is room for") }
        let (code, handle) = action.code
        unsafe answer.pointee.action = code
        unsafe answer.pointee.handle = handle
        unsafe answer.pointee.create_count = createCount
        unsafe answer.pointee.evict_count = UInt32(evict.count)
        for (index, player) in evict.enumerated() { unsafe answer.pointee.evict?[index] = player }
        unsafe answer.pointee.prepare_count = UInt32(prepare.count)
        let stride = unsafe Int(answer.pointee.prepare_stride)
        guard stride >= MemoryLayout<kit_prepare_v1>.size,
            let first = unsafe UnsafeMutableRawPointer(answer.pointee.prepare)
        else { return }
        for (index, item) in prepare.enumerated() {
            let record = kit_prepare_v1(
                struct_size: UInt32(MemoryLayout<kit_prepare_v1>.size), item: item.item, stage: item.stage, reserved: 0,
                handle: item.handle)
            unsafe first.storeBytes(of: record, toByteOffset: index * stride, as: kit_prepare_v1.self)
        }
    }
}

extension PluginPoolDecision.Action {
    fileprivate var code: (UInt32, handle: UInt64) {
        switch self {
        case .none: (0, 0)
        case .create: (UInt32(KIT_ACQUIRE_CREATE), 0)
        case .use(let handle): (UInt32(KIT_ACQUIRE_USE), handle)
        case .refuse: (UInt32(KIT_ACQUIRE_REFUSE), 0)
        case .keep: (UInt32(KIT_RECYCLE_KEEP), 0)
        case .destroy: (UInt32(KIT_RECYCLE_DESTROY), 0)
        }
    }
}
