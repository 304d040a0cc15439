// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Synchronization

/// Gives out session numbers: from 1, each once in a process, shared by all its controllers.
///
/// Thread: any.
public final class SessionNumbering: Sendable {
    private let last = Mutex<UInt32>(0)

    public init() {}

    /// The next number that was neither given out nor reserved.
    public func next() -> SessionID {
        last.withLock { last in
            last += 1
            return SessionID(rawValue: last)
        }
    }

    /// Notes that a log uses a number, so it is not given out again. Numbers past 2³¹ - 1 are ignored.
    func reserve(_ session: SessionID) {
        guard session.rawValue <= EventLimits.largestNumber else { return }
        last.withLock { $0 = max($0, session.rawValue) }
    }
}
