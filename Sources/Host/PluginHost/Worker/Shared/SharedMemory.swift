// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import WorkerWire

/// The memory that this host shares with one worker (`kitwire/shared.h`), and the descriptor by which the worker gets it.
///
/// What the worker writes into it is hostile: a word is read once, a message is copied before it is looked at. The memory outlives
/// the worker, so whoever still waits for it waits on memory that is there.
///
/// Thread: any, each word and area by the side and thread that its user says.
@safe
final class SharedMemory: @unchecked Sendable {
    /// Passed to the worker, which maps it and closes it.
    let descriptor: Descriptor
    private let base: UnsafeMutableRawPointer

    init() throws(SystemFailure) {
        descriptor = try unsafe Descriptor(clinux_memory_file("kit-worker"))
        let seals = CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_SEAL
        guard ftruncate(descriptor.number, off_t(KITW_SHARED_SIZE)) == 0,
            fcntl(descriptor.number, Int32(CLINUX_ADD_SEALS), Int32(seals)) == 0
        else { throw .last() }
        let mapped = unsafe mmap(
            nil, KITW_SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.number, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else { throw .last() }
        unsafe base = mapped
    }

    deinit {
        unsafe munmap(base, KITW_SHARED_SIZE)
    }

    /// The words that this side writes.
    var host: UnsafeMutablePointer<kitw_host_words> {
        unsafe (base + KITW_HOST_WORDS).assumingMemoryBound(to: kitw_host_words.self)
    }

    /// The words that the worker writes.
    var worker: UnsafeMutablePointer<kitw_worker_words> {
        unsafe (base + KITW_WORKER_WORDS).assumingMemoryBound(to: kitw_worker_words.self)
    }

    /// Whether the worker says that it ends because of what this side wrote.
    var hasRejected: Bool { unsafe kitw_load32(&worker.pointee.has_rejected) == 1 }

    /// Tells the worker that there is something for it.
    func ring() {
        unsafe kitw_add32(&host.pointee.bell)
        if unsafe kitw_load32(&worker.pointee.is_asleep) != 0 { unsafe clinux_futex_wake(&host.pointee.bell) }
    }

    /// Copies bytes to a place, all of which lies in the memory.
    func write(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        precondition(place >= 0 && bytes.count <= KITW_SHARED_SIZE - place, "beyond the shared memory")
        unsafe UnsafeMutableRawBufferPointer(start: base + place, count: bytes.count).copyMemory(from: bytes)
    }

    /// Copies the message at a place. Its length is read once, with its head; the rest is as long as that says.
    ///
    /// - Parameters:
    ///   - room: bytes from the place to the end of what the message may take, at least those of a head.
    ///   - buffer: gets the message in place of what it held.
    func readMessage(at place: Int, room: Int, into buffer: inout [UInt8]) throws(WireFault) {
        precondition(
            place >= 0 && room >= KITW_HEADER_SIZE && room <= KITW_SHARED_SIZE - place, "beyond the shared memory")
        let head = unsafe (base + place).loadUnaligned(as: kitw_header.self)
        let length = Int(head.length)
        guard length <= KITW_BODY_MAX, KITW_HEADER_SIZE + length <= room else {
            throw WireFault("a message says that it has \(length) bytes")
        }
        buffer.removeAll(keepingCapacity: true)
        buffer.reserveCapacity(KITW_HEADER_SIZE + length)
        unsafe withUnsafeBytes(of: head) { unsafe buffer.append(contentsOf: $0) }
        unsafe buffer.append(
            contentsOf: UnsafeRawBufferPointer(start: base + place + KITW_HEADER_SIZE, count: length))
    }
}
