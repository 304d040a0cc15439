// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore
internal import Synchronization

/// Ends blocking I/O: at once when cancelled or recalled, or when a network operation has taken too long. Deadlines are supervision time,
/// always real.
///
/// Thread: `cancel` and `recall` any; the rest is for the thread that does the I/O.
package final class Interrupt: Sendable {
    private let isCancelledFlag = Atomic(false)
    private let isRecalledFlag = Atomic(false)
    private let deadline = Atomic<Int64>(.max)

    var isCancelled: Bool { isCancelledFlag.load(ordering: .acquiring) }
    var isTimedOut: Bool { monotonicMicroseconds() >= deadline.load(ordering: .relaxed) }
    /// Whether what is being read is not wanted any more: something else is to be read.
    var isRecalled: Bool { isRecalledFlag.load(ordering: .acquiring) }
    var isBroken: Bool { isCancelled || isRecalled }
    var mustEnd: Bool { isBroken || isTimedOut }

    func cancel() {
        isCancelledFlag.store(true, ordering: .releasing)
    }

    /// Ends what is being read until `resume`, which says that the thread has taken note.
    func recall() {
        isRecalledFlag.store(true, ordering: .releasing)
    }

    func resume() {
        isRecalledFlag.store(false, ordering: .releasing)
    }

    /// Starts the time for one network operation anew; nil: as long as it takes.
    func allow(microseconds: Int64?) {
        deadline.store(microseconds.map { monotonicMicroseconds() + $0 } ?? .max, ordering: .relaxed)
    }

    /// What libav asks; the caller keeps the interrupt alive for as long as libav has it.
    func makeCallback() -> AVIOInterruptCB {
        unsafe AVIOInterruptCB(callback: interruptThunk, opaque: Unmanaged.passUnretained(self).toOpaque())
    }
}

private func interruptThunk(_ opaque: UnsafeMutableRawPointer?) -> Int32 {
    guard let opaque = unsafe opaque else { return 0 }
    return unsafe Unmanaged<Interrupt>.fromOpaque(opaque).takeUnretainedValue().mustEnd ? 1 : 0
}
