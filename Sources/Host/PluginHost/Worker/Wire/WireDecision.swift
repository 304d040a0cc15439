// SPDX-License-Identifier: Apache-2.0

package import PlayerRuntime
internal import PluginABI
internal import WorkerWire

/// How much an answer may hold.
package struct DecisionRoom: Hashable, Sendable {
    /// Handles to evict.
    package var evict: Int
    /// Items to prepare.
    package var prepare: Int

    package init(evict: Int = 0, prepare: Int = 0) {
        self.evict = evict
        self.prepare = prepare
    }

    /// What the answer to a request may need, as far as one message holds it.
    init(for request: PoolRequest) {
        self.init(
            evict: min(request.players.count, KITW_EVICT_MAX),
            prepare: min(request.kind.prepareCapacity, KITW_PREPARE_MAX))
    }
}

/// The answer of a lifecycle strategy as it crossed the wire.
package struct WireDecision: Hashable, Sendable {
    private struct Preparation: Hashable, Sendable {
        var item: UInt32
        var stage: UInt32
        var handle: UInt64
    }

    package var result: KitResult
    /// Through `report_error` while it was asked; empty if nothing.
    package var said: String
    private var action: UInt32
    private var handle: UInt64
    private var createCount: Int64
    private var evictCount: UInt32
    private var prepareCount: UInt32
    private var evict: [UInt64]
    private var prepare: [Preparation]

    /// Decodes the message that answers a question.
    ///
    /// - Parameters:
    ///   - instance: that was asked.
    ///   - room: how much the question left room for.
    package init(message: [UInt8], instance: UInt32, room: DecisionRoom) throws(WireFault) {
        let head = try WireReader(body: message[...]).load(kitw_header.self)
        guard head.version == KITW_WIRE_VERSION, head.kind == UInt32(KITW_DECISION), head.instance == instance,
            Int(head.length) == message.count - KITW_HEADER_SIZE
        else { throw WireFault("its answer to decide is one to something else") }
        let reader = WireReader(body: message[KITW_HEADER_SIZE...])
        let body = try reader.load(kitw_decision.self)
        result = KitResult(rawValue: body.result)
        said = try reader.string(body.said)
        action = body.action
        handle = body.handle
        createCount = body.create_count
        evictCount = body.evict_count
        prepareCount = body.prepare_count
        evict = try reader.array(
            of: UInt64.self, count: min(Int(body.evict_count), room.evict), at: body.evict_offset)
        prepare = try reader.array(
            of: kitw_prepare.self, count: min(Int(body.prepare_count), room.prepare), at: body.prepare_offset
        ).map { Preparation(item: $0.item, stage: $0.stage, handle: $0.handle) }
    }

    /// The decision as an answer to `kind`.
    package func decision(for kind: PoolRequest.Kind) throws(InvalidDecision) -> PoolDecision {
        guard Int(evictCount) == evict.count else {
            throw InvalidDecision("evict_count is \(evictCount), there is room for \(evict.count)")
        }
        guard Int(prepareCount) == prepare.count else {
            throw InvalidDecision("prepare_count is \(prepareCount), there is room for \(prepare.count)")
        }
        return try PoolDecision(
            PoolDecision.RawAnswer(
                action: action, handle: handle, createCount: createCount, evict: evict,
                prepare: prepare.map { ($0.item, $0.stage, $0.handle) }),
            for: kind)
    }
}
