// SPDX-License-Identifier: Apache-2.0

package import MediaCore
internal import PluginABI
package import Sessions
internal import WorkerWire

/// A message of a worker, with everything in it checked that can be without knowing what was asked.
package struct WorkerMessage: Sendable {
    package enum Content: Sendable {
        case hello(pid: Int32, abiMajor: UInt32, abiMinor: UInt32)
        case walls(Walls)
        case loaded(Loaded)
        case created(KitResult)
        /// `refused`: reports that the worker itself turned down.
        case eventsDone(KitResult, refused: UInt32)
        case destroyed(refused: UInt32)
        case pong
        /// A report, or why it was none.
        case report(Result<ReportEntry, KitResult>)
        case log(level: LogLevel, text: String)
        case errorText(String)
        case action(WireAction)
        /// The sandbox denied a system call: its name, and the path it was for.
        case denied(String)
    }

    /// How far loading got.
    package struct Loaded: Sendable {
        package var result: KitResult
        /// `KITW_STAGE_*`.
        package var stage: Int
        package var interest: EventMask
        /// What went wrong.
        package var detail: String
    }

    /// What was put around the plugin.
    package struct Walls: Sendable {
        /// `KITW_WALL_*` that stand.
        package var standing: UInt32
        /// Why not all do.
        package var missing: String
    }

    package var call: UInt64
    package var instance: UInt32
    package var content: Content

    /// Decodes a message.
    package init(_ buffer: [UInt8]) throws(WireFault) {
        let length = buffer.count
        let head = try WireReader(body: buffer[...]).load(kitw_header.self)
        guard head.version == KITW_WIRE_VERSION else { throw WireFault("a message has not the version of the wire") }
        guard Int(head.length) == length - KITW_HEADER_SIZE else {
            throw WireFault("a message of \(length - KITW_HEADER_SIZE) bytes says that it has \(head.length)")
        }
        call = head.call
        instance = head.instance
        let reader = WireReader(body: buffer[KITW_HEADER_SIZE..<length])
        content = try WorkerMessage.content(Int(head.kind), reader)
    }

    private static func content(
        _ kind: Int, _ reader: WireReader
    ) throws(WireFault) -> Content {
        switch kind {
        case KITW_HELLO:
            let body = try reader.load(kitw_hello.self)
            return .hello(
                pid: Int32(truncatingIfNeeded: body.pid), abiMajor: body.abi_major, abiMinor: body.abi_minor)
        case KITW_LOADED:
            let body = try reader.load(kitw_loaded.self)
            return .loaded(
                Loaded(
                    result: KitResult(rawValue: body.result), stage: Int(body.stage),
                    interest: EventMask(abi: body.event_mask.0, body.event_mask.1),
                    detail: try reader.string(body.detail)))
        case KITW_WALLS:
            let body = try reader.load(kitw_walls.self)
            return .walls(Walls(standing: body.walls, missing: try reader.string(body.missing)))
        case KITW_CREATED: return .created(try result(reader))
        case KITW_EVENTS_DONE:
            let body = try reader.load(kitw_result.self)
            return .eventsDone(KitResult(rawValue: body.result), refused: body.refused)
        case KITW_DESTROYED: return .destroyed(refused: try reader.load(kitw_result.self).refused)
        case KITW_PONG: return .pong
        case KITW_REPORT: return .report(try report(reader))
        case KITW_LOG:
            let body = try reader.load(kitw_line.self)
            return .log(level: LogLevel(abi: body.code), text: try reader.string(body.text))
        case KITW_ERROR_TEXT:
            return .errorText(try reader.string(try reader.load(kitw_line.self).text))
        case KITW_ACTION:
            let body = try reader.load(kitw_action.self)
            return .action(
                WireAction(
                    session: body.session, sequence: body.sequence, action: body.action, argument: body.argument))
        case KITW_DENIED: return .denied(try reader.string(try reader.load(kitw_line.self).text))
        default: throw WireFault("a message is of the unknown kind \(kind)")
        }
    }

    private static func result(_ reader: WireReader) throws(WireFault) -> KitResult {
        KitResult(rawValue: try reader.load(kitw_result.self).result)
    }

    /// Gives the report its pointers back and has it judged as one of this process.
    private static func report(_ reader: WireReader) throws(WireFault) -> Result<ReportEntry, KitResult> {
        let body = try reader.load(kitw_report.self)
        guard body.field_count <= KITW_FIELDS_MAX else {
            throw WireFault("a report has \(body.field_count) fields")
        }
        let wire = try reader.array(of: kitw_field.self, count: Int(body.field_count), at: body.fields_offset)
        let name = try reader.range(body.name)
        var places: [(key: Range<Int>, text: Range<Int>)] = []
        for field in wire { places.append((try reader.range(field.key), try reader.range(field.text))) }
        return unsafe reader.body.withUnsafeBytes { bytes in
            let fields = unsafe zip(wire, places).map { field, place in
                unsafe kit_field_v1(
                    struct_size: UInt32(MemoryLayout<kit_field_v1>.size), type: field.type,
                    key: WireReader.text(place.key, in: bytes), integer: field.integer, number: field.number,
                    text: WireReader.text(place.text, in: bytes))
            }
            return unsafe fields.withUnsafeBufferPointer { fields in
                let report = unsafe kit_report_v1(
                    struct_size: UInt32(MemoryLayout<kit_report_v1>.size), kind: body.kind, session: body.session,
                    flags: body.flags, name: WireReader.text(name, in: bytes),
                    fields: fields.isEmpty ? nil : fields.baseAddress, field_count: UInt32(fields.count),
                    field_stride: UInt32(MemoryLayout<kit_field_v1>.stride))
                return unsafe withUnsafePointer(to: report) { report in
                    do throws(KitResult) {
                        return .success(try unsafe ReportDecoder.decode(report))
                    } catch {
                        return .failure(error)
                    }
                }
            }
        }
    }
}
