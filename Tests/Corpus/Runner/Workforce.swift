// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Does many things a few at a time, on threads of its own: most of what is done here is waiting for processes.
enum Workforce {
    /// Gives the results in the order of the items.
    static func map<Item: Sendable, Result: Sendable>(
        _ items: [Item], threads: Int, _ work: @escaping @Sendable (Item) -> Result
    ) -> [Result] {
        let state = Shared<Result>(count: items.count)
        let group = DispatchGroup()
        for _ in 0..<max(1, min(threads, items.count)) {
            group.enter()
            Thread.detachNewThread {
                while let index = state.takeNext() { state.put(work(items[index]), at: index) }
                group.leave()
            }
        }
        group.wait()
        return state.results
    }

    private final class Shared<Result: Sendable>: Sendable {
        private let state: Mutex<(next: Int, results: [Result?])>
        private let count: Int

        init(count: Int) {
            self.count = count
            state = Mutex((0, Array(repeating: nil, count: count)))
        }

        func takeNext() -> Int? {
            state.withLock { state in
                guard state.next < count else { return nil }
                defer { state.next += 1 }
                return state.next
            }
        }

        func put(_ result: Result, at index: Int) { state.withLock { $0.results[index] = result } }

        var results: [Result] { state.withLock { $0.results.compactMap(\.self) } }
    }
}
