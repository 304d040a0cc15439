// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// Where the last use of an id ended.
public struct ResumePoint: Hashable, Sendable {
    /// Of the media, before its end.
    public var position: MediaTime
    /// The `sourceRevision` of what was played; nil if whoever played it did not say.
    public var sourceRevision: UInt64?

    public init(position: MediaTime, sourceRevision: UInt64?) {
        self.position = position
        self.sourceRevision = sourceRevision
    }
}

/// The resume points of the ids that a pool had players for last. Pure.
struct ResumePoints {
    /// How many ids are remembered; of more, those whose use ended first are forgotten.
    static let limit = 256

    private var points: [String: ResumePoint] = [:]
    /// The ids in the order in which their use ended.
    private var order: [String] = []

    subscript(uniqueID: String) -> ResumePoint? { points[uniqueID] }

    mutating func remember(_ point: ResumePoint, for uniqueID: String) {
        forget(uniqueID)
        points[uniqueID] = point
        order.append(uniqueID)
        if order.count > ResumePoints.limit { points[order.removeFirst()] = nil }
    }

    mutating func forget(_ uniqueID: String) {
        guard points.removeValue(forKey: uniqueID) != nil else { return }
        order.removeAll { $0 == uniqueID }
    }

    mutating func forgetAll() {
        self = ResumePoints()
    }
}
