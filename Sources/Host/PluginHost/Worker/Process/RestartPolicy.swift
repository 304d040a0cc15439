// SPDX-License-Identifier: Apache-2.0

/// When a worker that has failed is started again, and when no more.
package struct RestartPolicy: Sendable {
    /// A delay is longer or shorter by this part of itself, so that workers which fell together do not rise together.
    static let spread = 0.2

    /// Failures within the window after which it is not started again; at least 1.
    package let limit: Int
    /// Milliseconds until it is started again: after the first failure, the second, and so on; the last one from then on. Not empty.
    package let delays: [Int]
    /// Real time, in milliseconds; running that long makes up for everything before.
    package let window: Int

    /// What a user may choose for each of the three, and how many delays.
    package static let limits = 1...1000
    package static let delayLengths = 0...3_600_000
    package static let delayCounts = 1...32
    package static let windows = 1...86_400_000

    private var failures: [RealTime] = []
    private var inRow = 0

    package init(limit: Int = 5, delays: [Int] = [0, 250, 1000, 5000, 30_000], window: Int = 600_000) {
        precondition(limit >= 1 && !delays.isEmpty, "a policy without a limit or a delay")
        self.limit = limit
        self.delays = delays
        self.window = window
    }

    /// Notes a failure.
    ///
    /// - Parameter chance: from 0 to 1.
    /// - Returns: in how many milliseconds to start it again; nil: not any more.
    package mutating func delay(afterFailureAt now: RealTime, chance: Double) -> Int? {
        if let last = failures.last, last + window <= now { inRow = 0 }
        failures.removeAll { $0 + window <= now }
        failures.append(now)
        guard failures.count < limit else { return nil }
        let delay = delays[min(inRow, delays.count - 1)]
        inRow += 1
        return Int(Double(delay) * (1 + RestartPolicy.spread * (2 * chance - 1)))
    }
}
