// SPDX-License-Identifier: Apache-2.0

/// A monitoring strategy: one instance a controller, fed with its events.
///
/// Thread: one call at a time per instance, on any thread. Throwing is a fault the host survives; a Swift trap is not.
public protocol MonitorPlugin: AnyObject {
    /// The kinds it wants; empty means every kind.
    static var wantedEvents: [PluginEventKind] { get }

    init(options: PluginOptions) throws

    /// Handles a batch. It has a second; what it knows of time it knows from the events.
    func handle(_ batch: PluginEventBatch, reports: any PluginReportOutput) throws
}
