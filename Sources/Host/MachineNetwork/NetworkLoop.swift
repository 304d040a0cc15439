// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore

/// What the watch's thread does: waits for the kernel and the bus at once.
///
/// Thread: one.
final class NetworkLoop {
    /// A bus that is not there is looked for again after so many microseconds.
    private static let retryMicroseconds: UInt64 = 30_000_000

    private let kernel: KernelNetwork
    private let busAddress: String?
    private let wakeUp: EventSignal
    private var manager: NetworkManagerBus?
    private var retriesAt: UInt64 = 0

    init(kernel: KernelNetwork, busAddress: String?, wakeUp: EventSignal) {
        self.kernel = kernel
        self.busAddress = busAddress
        self.wakeUp = wakeUp
    }

    /// - Parameter tell: gets the state after everything that may have changed it; false ends the loop.
    func run(tell: (NetworkState) -> Bool) {
        while true {
            serveBus()
            guard tell(NetworkState(kernel: kernel.type, manager: manager?.state)) else { return }
            wait()
            wakeUp.lower()
            if kernel.routes?.drain() == true { kernel.look() }
        }
    }

    private func serveBus() {
        if manager == nil, NetworkLoop.now() >= retriesAt {
            manager = NetworkManagerBus(address: busAddress)
            retriesAt = NetworkLoop.now() + NetworkLoop.retryMicroseconds
        }
        if manager?.process() == false { manager = nil }
    }

    private func wait() {
        let nothing = pollfd(fd: -1, events: 0, revents: 0)
        var entries = [
            pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: kernel.routes?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            manager?.pollEntry ?? nothing,
        ]
        let due = manager.map(\.deadline) ?? retriesAt
        let now = NetworkLoop.now()
        let milliseconds = due.map { $0 <= now ? 0 : Int32(clamping: ($0 - now) / 1000 + 1) } ?? -1
        unsafe poll(&entries, nfds_t(entries.count), milliseconds)
    }

    /// Microseconds of the clock that the bus counts with.
    private static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    }
}
