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

    /// Copies bytes from a place, all of which lies in the memory, to the front of `buffer`.
    func read(_ count: Int, at place: Int, into buffer: inout [UInt8], from start: Int = 0) {
        precondition(place >= 0 && count <= KITW_SHARED_SIZE - place, "beyond the shared memory")
        precondition(start + count <= buffer.count, "beyond the buffer")
        unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start..<(start + count)])
                .copyMemory(from: UnsafeRawBufferPointer(start: base + place, count: count))
        }
    }

    /// Copies the message at a place. Its length is read once, with its head; the rest is as long as that says, or nothing.
    ///
    /// - Parameters:
    ///   - room: bytes from the place to the end of what the message may take.
    /// - Returns: the bytes of the message at the front of the buffer.
    func readMessage(at place: Int, room: Int, into buffer: inout [UInt8]) throws(WireFault) -> Int {
        read(KITW_HEADER_SIZE, at: place, into: &buffer)
        let length = Int(try WireReader(body: buffer[..<KITW_HEADER_SIZE]).load(kitw_header.self).length)
        guard length <= KITW_BODY_MAX, KITW_HEADER_SIZE + length <= room else {
            throw WireFault("a message says that it has \(length) bytes")
        }
        read(length, at: place + KITW_HEADER_SIZE, into: &buffer, from: KITW_HEADER_SIZE)
        return KITW_HEADER_SIZE + length
    }
}
