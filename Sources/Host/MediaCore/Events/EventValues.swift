// SPDX-License-Identifier: Apache-2.0

// Values that events carry. The numbers are those of the plugin ABI (`kitshell/event.h`).

/// How warm the player was that serves a session.
public enum PlayerInstanceKind: Int32, Sendable {
    case unknown = 0
    /// Made for this session.
    case cold = 1
    /// It existed before.
    case warm = 2
    /// It is prepared and shows a picture already.
    case preRendered = 3
}

/// Why loading began.
public enum LoadingCause: Int32, Sendable, CaseIterable {
    case unknown = 0
    /// The source does not come fast enough.
    case network = 1
    /// Decoding is too slow.
    case decoder = 2
    /// The source has nothing for this stretch of time.
    case sourceGap = 3
    /// Playback caught up with what there is of a live stream.
    case liveEdge = 4
    /// The source begins again.
    case loop = 5
    /// What a seek left empty fills up. Seek time, never a stall.
    case seekRecovery = 6
}

/// What the machine is connected through.
public enum NetworkType: Int32, Sendable, CaseIterable {
    case unknown = 0
    /// Not connected, which is known.
    case none = 1
    case wifi = 2
    case ethernet = 3
    case cellular = 4
}

/// How the machine is connected.
public struct NetworkState: Hashable, Sendable {
    /// The kind of the best connection; `unknown` if nobody says.
    public var type: NetworkType
    /// Whether traffic costs money or is limited; nil if nobody says.
    public var isMetered: Bool?

    /// Without arguments: nothing is known.
    public init(_ type: NetworkType = .unknown, isMetered: Bool? = nil) {
        self.type = type
        self.isMetered = isMetered
    }
}

/// Who or what asked for the stop.
public enum StopReason: Int32, Sendable {
    /// A command.
    case user = 0
    /// As far as it was to be played.
    case until = 1
    /// The preview time of the configuration is over.
    case previewEnd = 2
    /// The process was told to end.
    case interrupted = 3
    /// The player went idle by itself.
    case idle = 4
}

/// Frames since the session began.
public struct FrameCounts: Hashable, Sendable {
    /// Pictures that came out of the decoder.
    public var decoded: Int64
    /// Pictures that were shown.
    public var presented: Int64
    /// Pictures whose time had passed when they could have been shown.
    public var droppedLate: Int64
    /// Pictures that the decoder left out.
    public var droppedByDecoder: Int64
    /// Pictures before the start or the target of a seek, not meant to be shown.
    public var skipped: Int64
    /// The most late pictures without one that was shown between them; nil if it is not known.
    public var maxConsecutiveDropped: Int64?

    /// Counts that are not given are 0; what only some know is nil.
    public init(
        decoded: Int64 = 0, presented: Int64 = 0, droppedLate: Int64 = 0, droppedByDecoder: Int64 = 0,
        skipped: Int64 = 0, maxConsecutiveDropped: Int64? = nil
    ) {
        self.decoded = decoded
        self.presented = presented
        self.droppedLate = droppedLate
        self.droppedByDecoder = droppedByDecoder
        self.skipped = skipped
        self.maxConsecutiveDropped = maxConsecutiveDropped
    }
}

/// What was read since the session began.
public struct ByteCounts: Hashable, Sendable {
    /// Bytes read, those read again included.
    public var read: Int64
    /// What the network takes, as far as that can be seen: while reading waits for it.
    public var arrival: Arrival?

    /// What came while reading waited for it. What had come before, while nothing was read, came at nobody knows which rate.
    public struct Arrival: Hashable, Sendable {
        /// Bytes, those that were not of use included.
        public var count: Int64
        /// Microseconds.
        public var duration: Int64

        /// Without arguments: nothing has come.
        public init(count: Int64 = 0, duration: Int64 = 0) {
            self.count = count
            self.duration = duration
        }
    }

    /// - Parameter arrival: nil where it is not known: of what is read over no network, and of what libav reads by itself.
    public init(read: Int64, arrival: Arrival? = nil) {
        self.read = read
        self.arrival = arrival
    }
}
