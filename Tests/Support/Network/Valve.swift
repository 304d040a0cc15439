// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How much of a content a server may send by now: what throttles and stalls it, as a test says.
///
/// Thread: any.
package final class Valve: Sendable {
    private let state: Mutex<(limit: Int, waitingAt: Int)>

    /// - Parameter limit: the offset in the content up to which it is open.
    package init(openTo limit: Int) {
        state = Mutex((limit, -1))
    }

    /// The offset in the content up to which it is open.
    package var limit: Int { state.withLock { $0.limit } }

    /// Lets more pass.
    package func open(to limit: Int = .max) {
        state.withLock { $0.limit = max($0.limit, limit) }
    }

    /// Whether a server has sent all it may and would send more.
    package var isHolding: Bool { state.withLock { $0.waitingAt >= $0.limit } }

    /// Waits until it is so.
    ///
    /// - Returns: false if it does not come to that within the shared limit.
    package func holds() -> Bool {
        Patience.wait { isHolding }
    }

    /// A server has come to an offset and may not go on. Thread: the server's.
    func note(waitingAt offset: Int) {
        state.withLock { $0.waitingAt = offset }
    }
}
