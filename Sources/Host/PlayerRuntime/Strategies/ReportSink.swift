// SPDX-License-Identifier: Apache-2.0

public import Sessions

/// Where the reports of one strategy instance of one controller go.
///
/// Thread: any; may be kept and used after the call that gave it, until the strategy stopped.
public final class ReportSink: Sendable {
    /// The instance's name, under which its reports are shown.
    public let instance: String
    private let deliver: @Sendable (ReportEntry, String) -> Void

    public init(instance: String, deliver: @escaping @Sendable (ReportEntry, String) -> Void) {
        self.instance = instance
        self.deliver = deliver
    }

    /// Hands a report over. Thread: any.
    public func emit(_ entry: ReportEntry) {
        deliver(entry, instance)
    }
}
