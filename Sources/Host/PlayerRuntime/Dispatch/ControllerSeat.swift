// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions

/// One controller at the dispatcher: its timeline, its sinks, and its events of this round in their order.
///
/// Thread: the dispatcher's.
final class ControllerSeat {
    let controller: ControllerID
    var timeline: ControllerTimeline
    /// As of the beginning of this round, in the order in which they are called.
    var attachments: [Attachment]
    var batch: [PlayerEvent] = []

    init(_ timeline: ControllerTimeline, attachments: [Attachment]) {
        controller = timeline.controller
        self.timeline = timeline
        self.attachments = attachments
    }

    var isOpen: Bool { timeline.openState != nil }
}
