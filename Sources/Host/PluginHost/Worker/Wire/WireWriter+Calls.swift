// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import PluginABI
internal import WorkerWire

// One message a function: what the host asks of a worker.
extension WireWriter {
    /// - Parameter grants: what the sandbox leaves open.
    static func load(_ file: PluginFile, grants: PluginGrants) -> WireWriter {
        var writer = WireWriter(KITW_LOAD)
        var body = kitw_load()
        body.device = file.identity.device
        body.inode = file.identity.inode
        body.size = file.identity.size
        body.mtime_ns = file.identity.modifiedNanoseconds
        body.kinds = file.kinds.rawValue
        body.sandbox = grants.isOpen ? 0 : 1
        body.grants = grants.capabilities.rawValue
        let offset = writer.append(body)
        body.path = writer.append(text: file.path.utf8)
        body.runtimes = writer.append(list: file.libraries.runtimes)
        body.readable = writer.append(list: grants.readablePaths)
        body.writable = writer.append(list: grants.writablePaths)
        let libraries = [PluginLibraries.Library(path: file.path, identity: file.identity)] + file.libraries.others
        let records = libraries.map { library in
            kitw_library(
                device: library.identity.device, inode: library.identity.inode,
                path: writer.append(list: [library.path]))
        }
        let places = records.map { writer.append($0) }
        body.library_count = UInt32(places.count)
        body.libraries_offset = places.first ?? 0
        writer.replace(at: offset, with: body)
        return writer
    }

    /// - Parameter mayAct: whether its requests for actions are granted.
    static func create(
        kind: PluginNote.Kinds, name: String, options: [PluginOption], mayAct: Bool
    ) -> WireWriter {
        var writer = WireWriter(KITW_CREATE)
        unsafe PluginOption.withABI(kind: kind.rawValue, instanceName: name, options: options) { how in
            let how = unsafe how.pointee
            let records = unsafe UnsafeBufferPointer(start: how.options, count: Int(how.option_count))
            var body = unsafe kitw_create(
                kind: how.kind, option_count: how.option_count, options_offset: 0, may_act: mayAct ? 1 : 0,
                name: kitw_text())
            let offset = writer.append(body)
            let places = unsafe records.map { record in
                unsafe writer.append(
                    kitw_option(
                        type: record.type, reserved: 0, integer: record.integer, number: record.number,
                        key: kitw_text(), text: kitw_text()))
            }
            body.options_offset = places.first ?? 0
            body.name = unsafe writer.append(kitStr: how.instance_name)
            writer.replace(at: offset, with: body)
            for (index, place) in places.enumerated() {
                let record = unsafe records[index]
                unsafe writer.replace(
                    at: place,
                    with: kitw_option(
                        type: record.type, reserved: 0, integer: record.integer, number: record.number,
                        key: writer.append(kitStr: record.key), text: writer.append(kitStr: record.text)))
            }
        }
        return writer
    }

    /// - Parameter batch: filled; made with `EventBatchEncoder.forWire`.
    static func events(_ batch: EventBatchEncoder, controller: ControllerID, dropped: UInt64) -> WireWriter {
        var writer = WireWriter(KITW_EVENTS)
        var body = kitw_events()
        body.controller = controller.rawValue
        body.event_count = UInt32(batch.count)
        body.dropped = dropped
        let offset = writer.append(body)
        body.events_offset = unsafe writer.append(records: batch.records)
        body.text = unsafe writer.append(text: batch.text)
        writer.replace(at: offset, with: body)
        return writer
    }

    static func decide(_ request: PoolRequest) -> WireWriter {
        var writer = WireWriter(KITW_DECIDE)
        let room = DecisionRoom(for: request)
        unsafe RequestBuffer().lend(request) { request in
            let request = unsafe request.pointee
            var body = kitw_decide()
            unsafe body.kind = request.kind
            unsafe body.reason = request.reason
            unsafe body.flags = request.flags
            unsafe body.source_kind = request.source_kind
            unsafe body.level = request.level
            unsafe body.now_us = request.now_us
            unsafe body.max_pool_size = request.max_pool_size
            unsafe body.hard_max = request.hard_max
            unsafe body.handle = request.handle
            unsafe body.count = request.count
            unsafe body.player_count = request.player_count
            unsafe body.upcoming_count = request.upcoming_count
            body.evict_capacity = UInt32(room.evict)
            body.prepare_capacity = UInt32(room.prepare)
            let offset = writer.append(body)
            let players = unsafe UnsafeBufferPointer(start: request.players, count: Int(request.player_count))
            let items = unsafe UnsafeBufferPointer(start: request.upcoming, count: Int(request.upcoming_count))
            let places = unsafe players.map { unsafe writer.append(kitw_player($0, uniqueID: kitw_text())) }
            let itemPlaces = unsafe items.map { unsafe writer.append(kitw_upcoming($0, uniqueID: kitw_text())) }
            body.players_offset = places.first ?? 0
            body.upcoming_offset = itemPlaces.first ?? 0
            body.unique_id = unsafe writer.append(kitStr: request.unique_id)
            writer.replace(at: offset, with: body)
            for unsafe(player, place) in unsafe zip(players, places) {
                let uniqueID = unsafe writer.append(kitStr: player.unique_id)
                writer.replace(at: place, with: unsafe kitw_player(player, uniqueID: uniqueID))
            }
            for unsafe(item, place) in unsafe zip(items, itemPlaces) {
                let uniqueID = unsafe writer.append(kitStr: item.unique_id)
                writer.replace(at: place, with: unsafe kitw_upcoming(item, uniqueID: uniqueID))
            }
        }
        return writer
    }

    private mutating func append(list texts: [String]) -> kitw_text {
        append(text: texts.flatMap { Array($0.utf8) + [0] })
    }

    private mutating func append(kitStr text: kit_str) -> kitw_text {
        unsafe append(text: UnsafeRawBufferPointer(start: text.ptr, count: Int(text.len)))
    }
}

extension kitw_player {
    fileprivate init(_ player: kit_player_v1, uniqueID: kitw_text) {
        unsafe self.init(
            state: player.state, flags: player.flags, stage: player.stage, reserved: 0, handle: player.handle,
            bytes_held: player.bytes_held, created_seq: player.created_seq, acquired_seq: player.acquired_seq,
            idle_seq: player.idle_seq, unique_id: uniqueID)
    }
}

extension kitw_upcoming {
    fileprivate init(_ item: kit_upcoming_v1, uniqueID: kitw_text) {
        unsafe self.init(distance: item.distance, stage: item.stage, handle: item.handle, unique_id: uniqueID)
    }
}

extension EventBatchEncoder {
    /// Bounded so that a full batch is one message.
    static func forWire() -> EventBatchEncoder {
        let maxText = KITW_BODY_MAX / 2
        let room = KITW_BODY_MAX - maxText - MemoryLayout<kitw_events>.stride
        return EventBatchEncoder(maxEvents: room / MemoryLayout<kit_event_v1>.stride, maxText: maxText)
    }
}
