// SPDX-License-Identifier: Apache-2.0

import MediaCore
import Synchronization

/// Lines in the order they were noted. Thread: any.
public final class Journal: Sendable {
    /// The one time limit of tests that wait for another thread: generous, since it is reached only by a defect.
    static let limitMilliseconds = 30_000

    private let noted = Mutex<[String]>([])
    private let changed = Gate()

    public init() {}

    public var lines: [String] { noted.withLock { $0 } }

    public func note(_ line: String) {
        noted.withLock { $0.append(line) }
        changed.signal()
    }

    /// Waits until `line` has been noted.
    ///
    /// - Returns: false if it was not within the limit.
    public func wait(for line: String) -> Bool {
        changed.wait(milliseconds: Journal.limitMilliseconds) { noted.withLock { $0.contains(line) } }
    }

    /// Waits until a line with `part` in it has been noted.
    ///
    /// - Returns: false if it was not within the limit.
    public func wait(containing part: String) -> Bool {
        changed.wait(milliseconds: Journal.limitMilliseconds) {
            noted.withLock { $0.contains { $0.contains(part) } }
        }
    }
}
