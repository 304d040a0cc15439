// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// The way of one kind of media through the threads: packets, their decoder, frames. Which track it carries, its segments say.
///
/// Thread: any.
final class Line: Sendable {
    let kind: Track.Kind
    let packets: Channel<Packet>
    let frames: Channel<Frame>
    private let bufferedEndMicroseconds = Atomic<Int64>(.min)
    private let hasDecodedFlag = Atomic(false)
    private let hasFailedFlag = Atomic(false)
    private let shared = Mutex<PlayerError?>(nil)

    init(_ kind: Track.Kind, demux: any MediaSignal, decode: any MediaSignal, present: any MediaSignal) {
        self.kind = kind
        packets = Channel(from: demux, to: decode)
        frames = Channel(from: decode, to: present)
    }

    /// Where the newest packet of the newest segment ends; nil before the first one that says so. Written by the demux thread only.
    var bufferedEnd: MediaTime? {
        get { MediaTime(known: bufferedEndMicroseconds.load(ordering: .relaxed)) }
        set { bufferedEndMicroseconds.store(newValue?.microseconds ?? PlayerEvent.unknown, ordering: .relaxed) }
    }

    /// Whether the decoder has given a frame. Written by the decode thread only.
    var hasDecoded: Bool {
        get { hasDecodedFlag.load(ordering: .relaxed) }
        set { hasDecodedFlag.store(newValue, ordering: .relaxed) }
    }

    var hasFailed: Bool { hasFailedFlag.load(ordering: .acquiring) }

    /// Why its decoder gave up; its packets are then for nobody. Written by the decode thread only, once.
    var failure: PlayerError? {
        get { shared.withLock { $0 } }
        set {
            shared.withLock { $0 = newValue }
            hasFailedFlag.store(newValue != nil, ordering: .releasing)
        }
    }
}
