// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// How long whoever gives players back, or takes them from others, is kept waiting for them to stop. It counts from when it is made.
///
/// Thread: any.
struct ReleaseLimit {
    static let milliseconds = 500
    /// So many players end at once; with more, the next one begins when one has ended.
    private static let threadLimit = 16

    private let end = monotonicMicroseconds() + Int64(milliseconds) * 1000

    /// Milliseconds that are left.
    var rest: Int { Int(max(0, end - monotonicMicroseconds()) / 1000) }

    /// Does each work on a thread of its own. What is not done in time goes on without the caller.
    ///
    /// - Returns: how many were not done in time.
    func run(_ works: [@Sendable () -> Void]) -> Int {
        guard !works.isEmpty else { return 0 }
        let queue = ReleaseQueue(works)
        let threads = ReleaseLimit.start(min(works.count, ReleaseLimit.threadLimit), on: queue)
        // Where there may be no more threads, the caller is what there is.
        if threads.isEmpty { queue.run() }
        for thread in threads { _ = thread.join(withinMilliseconds: rest) }
        // Whoever hangs must not keep others from ending.
        let others = ReleaseLimit.start(queue.waiting, on: queue)
        for thread in others { _ = thread.join(withinMilliseconds: 0) }
        return queue.left
    }

    private static func start(_ count: Int, on queue: ReleaseQueue) -> [MediaThread] {
        (0..<count).compactMap { _ in try? MediaThread("kit-release", queue.run) }
    }
}

/// Works that several threads take from.
private final class ReleaseQueue: Sendable {
    private let works: [@Sendable () -> Void]
    private let next = Atomic<Int>(0)
    private let done = Atomic<Int>(0)

    init(_ works: [@Sendable () -> Void]) {
        self.works = works
    }

    var left: Int { works.count - done.load(ordering: .acquiring) }

    /// How many nobody has begun.
    var waiting: Int { max(0, works.count - next.load(ordering: .relaxed)) }

    @Sendable func run() {
        while true {
            let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard place < works.count else { return }
            // A command that a player gives as it ends is queued: it may be one that waits for this.
            ThreadMark.set { works[place]() }
            done.wrappingAdd(1, ordering: .releasing)
        }
    }
}
