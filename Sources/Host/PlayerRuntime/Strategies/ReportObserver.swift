// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import Sessions

/// Hears what the monitoring strategies of a controller report.
///
/// Thread: the delivery queue of the controller, one call at a time. Of a session's reports the last come before its end.
public protocol ReportObserver: AnyObject, Sendable {
    /// A report of an instance; of records that come faster than they are handled only the newest.
    func strategyDidReport(_ entry: ReportEntry, instance: String)
    /// A session is over; built-in strategies have told everything of it.
    func strategiesDidFinish(_ session: SessionID)
    /// The controller was destroyed; nothing follows.
    func strategiesDidEnd()
}
