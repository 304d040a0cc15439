// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Sessions

/// One controller at the dispatcher: its timeline, and its events of this round in their order.
///
/// Thread: the dispatcher's.
final class ControllerSeat {
    let controller: ControllerID
    var timeline: ControllerTimeline
    var batch: [PlayerEvent] = []

    init(_ timeline: ControllerTimeline) {
        controller = timeline.controller
        self.timeline = timeline
    }

    var isOpen: Bool { timeline.openSession != nil }
}
