// SPDX-License-Identifier: Apache-2.0

internal import WorkerWire

/// The two rings of messages between this host and one worker.
///
/// Positions count bytes for ever and are kept here: those in the shared memory are only told to the other side.
///
/// Thread: the supervisor's.
final class MessageRings {
    let memory: SharedMemory
    private var written: UInt64 = 0
    private var read: UInt64 = 0

    init(_ memory: SharedMemory) {
        self.memory = memory
    }

    /// Has the worker wake this side, or not.
    var isAsleep = false {
        didSet { unsafe kitw_store32(&memory.host.pointee.is_asleep, isAsleep ? 1 : 0) }
    }

    /// Whether the worker has written something, or says so.
    var hasMessage: Bool { unsafe kitw_load64(&memory.worker.pointee.written) != read }

    /// Puts a message into the worker's ring and wakes it.
    ///
    /// - Throws: if there is no room, which an honest worker always leaves: it has answered what came before.
    func write(_ message: [UInt8]) throws(WireFault) {
        let size = UInt64(MessageRings.padded(message.count))
        let ring = UInt64(KITW_TO_WORKER_SIZE)
        let rest = ring - written % ring
        let begin = size <= rest ? written : written + rest
        let taken = unsafe kitw_load64(&memory.worker.pointee.read)
        guard taken <= written, begin + size - taken <= ring else {
            throw WireFault("it has not read what it has answered")
        }
        if begin != written, rest >= UInt64(KITW_HEADER_SIZE) {
            let skip = WireWriter(KITW_SKIP).message(call: 0, instance: 0)
            unsafe skip.withUnsafeBytes { unsafe memory.write($0, at: KITW_TO_WORKER + Int(written % ring)) }
        }
        unsafe message.withUnsafeBytes { unsafe memory.write($0, at: KITW_TO_WORKER + Int(begin % ring)) }
        written = begin + size
        unsafe kitw_store64(&memory.host.pointee.written, written)
        memory.ring()
    }

    /// Takes the next message of the worker.
    ///
    /// - Returns: false if there is none.
    func next(into buffer: inout [UInt8]) throws(WireFault) -> Bool {
        let ring = UInt64(KITW_TO_HOST_SIZE)
        while true {
            let end = unsafe kitw_load64(&memory.worker.pointee.written)
            guard end != read else { return false }
            guard end > read, end - read <= ring, end % 8 == 0 else {
                throw WireFault("it says that it has written \(end) bytes, of which \(read) were read")
            }
            let place = Int(read % ring)
            let rest = Int(ring) - place
            if rest >= KITW_HEADER_SIZE {
                guard end - read >= UInt64(KITW_HEADER_SIZE) else {
                    throw WireFault("it has written less than a message")
                }
                try memory.readMessage(at: KITW_TO_HOST + place, room: min(rest, Int(end - read)), into: &buffer)
                if try WireReader(body: buffer[...]).load(kitw_header.self).kind != UInt32(KITW_SKIP) {
                    advance(by: UInt64(MessageRings.padded(buffer.count)))
                    return true
                }
            }
            guard UInt64(rest) <= end - read else { throw WireFault("it skips more than it has written") }
            advance(by: UInt64(rest))
        }
    }

    private func advance(by count: UInt64) {
        read += count
        unsafe kitw_store64(&memory.host.pointee.read, read)
    }

    private static func padded(_ length: Int) -> Int { (length + 7) & ~7 }
}
