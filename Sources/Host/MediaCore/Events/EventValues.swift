// SPDX-License-Identifier: Apache-2.0

// Values that events carry. The numbers are those of the plugin ABI (`kitshell/event.h`).

/// How warm the player was that serves a session.
public enum PlayerInstanceKind: Int32, Sendable {
    case unknown = 0
    case cold = 1
    case warm = 2
    case preRendered = 3
}

/// Why loading began.
public enum LoadingCause: Int32, Sendable, CaseIterable {
    case unknown = 0
    case network = 1
    case decoder = 2
    case sourceGap = 3
    case liveEdge = 4
    case loop = 5
    case seekRecovery = 6
}

/// What the machine is connected through.
public enum NetworkType: Int32, Sendable, CaseIterable {
    case unknown = 0
    case none = 1
    case wifi = 2
    case ethernet = 3
    case cellular = 4
}

/// Who or what asked for the stop.
public enum StopReason: Int32, Sendable {
    case user = 0
    case until = 1
    case previewEnd = 2
    case interrupted = 3
    case idle = 4
}

/// Frames since the session began.
public struct FrameCounts: Hashable, Sendable {
    public var decoded: Int64
    public var presented: Int64
    public var droppedLate: Int64
    public var droppedByDecoder: Int64
    public var skipped: Int64

    public init(
        decoded: Int64 = 0, presented: Int64 = 0, droppedLate: Int64 = 0, droppedByDecoder: Int64 = 0,
        skipped: Int64 = 0
    ) {
        self.decoded = decoded
        self.presented = presented
        self.droppedLate = droppedLate
        self.droppedByDecoder = droppedByDecoder
        self.skipped = skipped
    }
}
