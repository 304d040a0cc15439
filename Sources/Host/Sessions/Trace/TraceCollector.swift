// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// Traces of the first sessions of a run, whatever their number.
///
/// Thread: one at a time.
package struct TraceCollector: Sendable {
    /// Sessions that have a trace, at most.
    package static let limit = 200

    package private(set) var traces: [SessionID: SessionTrace] = [:]

    package init() {}

    /// Takes events in the order of delivery, each with its session.
    package mutating func accept(_ event: PlayerEvent) {
        if event.type == .request {
            if traces.count < TraceCollector.limit { traces[event.session] = SessionTrace(request: event) }
            return
        }
        traces[event.session]?.accept(event)
    }
}
