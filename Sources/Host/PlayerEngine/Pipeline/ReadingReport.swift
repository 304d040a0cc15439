// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// What was read of the source, from the thread that reads to the threads that tell it.
///
/// Thread: `note` the demux thread; `takeNews` any.
final class ReadingReport: Sendable {
    private let read = Atomic<Int64>(-1)
    // Negative where it is not known.
    private let arrivedCount = Atomic<Int64>(-1)
    private let arrivalDuration = Atomic<Int64>(-1)
    private let told = Atomic<Int64>(-1)
    /// What sessions before have been told; the counts of this one begin there.
    private let former = Mutex(ByteCounts(read: 0, arrival: ByteCounts.Arrival()))

    /// - Parameter counts: nil if they are not known.
    func note(_ counts: ByteCounts?) {
        guard let counts else { return }
        read.store(counts.read, ordering: .relaxed)
        guard let arrival = counts.arrival else { return }
        arrivedCount.store(arrival.count, ordering: .relaxed)
        arrivalDuration.store(arrival.duration, ordering: .relaxed)
    }

    /// The counts, for whoever tells them; nil if they are not known or have been told.
    func takeNews() -> ByteCounts? {
        let count = read.load(ordering: .relaxed)
        guard count >= 0, told.exchange(count, ordering: .relaxed) != count else { return nil }
        return former.withLock { counts(of: count) - $0 }
    }

    /// What is read from here on is told to another session.
    func beginSession() {
        let count = max(0, told.load(ordering: .relaxed))
        former.withLock { $0 = counts(of: count) }
    }

    private func counts(of count: Int64) -> ByteCounts {
        let duration = arrivalDuration.load(ordering: .relaxed)
        guard duration >= 0 else { return ByteCounts(read: count) }
        return ByteCounts(
            read: count,
            arrival: .init(count: arrivedCount.load(ordering: .relaxed), duration: duration))
    }
}

extension ByteCounts {
    /// What has come since others were counted.
    fileprivate static func - (counts: ByteCounts, former: ByteCounts) -> ByteCounts {
        ByteCounts(
            read: counts.read - former.read,
            arrival: counts.arrival.map { arrival in
                Arrival(
                    count: arrival.count - (former.arrival?.count ?? 0),
                    duration: arrival.duration - (former.arrival?.duration ?? 0))
            })
    }
}
