// SPDX-License-Identifier: Apache-2.0

/// Receives every log line at a hub's level and above.
public protocol LogObserver: AnyObject, Sendable {
    /// Handles one line. Thread: the hub's own, one call at a time, in the order of logging.
    func onLog(_ info: LogInfo)
}
