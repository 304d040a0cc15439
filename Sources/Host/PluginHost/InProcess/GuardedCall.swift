// SPDX-License-Identifier: Apache-2.0

internal import FaultGuard

/// How a call into a plugin of this process ended.
enum CallOutcome: Hashable, Sendable {
    case returned(KitResult)
    /// The exception's type and text.
    case threw(String)
    /// The function is not there.
    case noSlot
}

/// Runs calls through FaultGuard.
enum GuardedCall {
    private static let textCapacity = 1024

    /// - Parameter call: one function of FaultGuard with everything but its last argument.
    static func run(_ call: (fault_guard_text) -> fault_guard_outcome) -> CallOutcome {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: textCapacity) { buffer in
            guard let start = buffer.baseAddress else { return .noSlot }
            let outcome = unsafe call(fault_guard_text(bytes: start, capacity: UInt64(textCapacity)))
            switch Int(outcome.how) {
            case FAULT_GUARD_RETURNED: return .returned(KitResult(rawValue: outcome.result))
            case FAULT_GUARD_THREW: return unsafe .threw(String(cString: start))
            default: return .noSlot
            }
        }
    }
}
