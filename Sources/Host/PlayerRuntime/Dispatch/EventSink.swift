// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// Gets the events of one controller from the dispatcher.
package protocol EventSink: AnyObject, Sendable {
    /// Which events it wants.
    var interest: EventMask { get }
    /// Handles events in their order: only wanted ones, never none. Thread: the dispatcher's; must return quickly.
    func receive(_ events: [PlayerEvent])
}

/// In which order the sinks of a controller get a batch.
package enum EventStage: Int, Comparable, Sendable {
    case monitor
    case state
    case notification

    package static func < (left: EventStage, right: EventStage) -> Bool { left.rawValue < right.rawValue }
}

/// Gets every event of every controller in the order of delivery, losslessly. Thread: the dispatcher's.
public typealias EventRecorder = @Sendable ([PlayerEvent]) -> Void
