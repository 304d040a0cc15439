// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import Synchronization

/// One selected track's way through the threads: packets, their decoder, frames.
///
/// Thread: any.
final class Line: Sendable {
    let track: Track
    let packets: Channel<Packet>
    let frames: Channel<Frame>
    /// How many frames may wait to be presented.
    let frameCapacity: Int
    private let bufferedEndMicroseconds = Atomic<Int64>(.min)
    private let hasDecodedFlag = Atomic(false)
    private let shared = Mutex<PlayerError?>(nil)

    init(_ track: Track, demux: any MediaSignal, decode: any MediaSignal, present: any MediaSignal) {
        self.track = track
        packets = Channel(from: demux, to: decode)
        frames = Channel(from: decode, to: present)
        frameCapacity = track.kind == .video ? 3 : 16
    }

    /// Where the newest packet ends; nil before the first one that says so. Written by the demux thread only.
    var bufferedEnd: MediaTime? {
        get {
            let end = bufferedEndMicroseconds.load(ordering: .relaxed)
            return end == .min ? nil : MediaTime(microseconds: end)
        }
        set { bufferedEndMicroseconds.store(newValue?.microseconds ?? .min, ordering: .relaxed) }
    }

    /// Whether the decoder has given a frame. Written by the decode thread only.
    var hasDecoded: Bool {
        get { hasDecodedFlag.load(ordering: .relaxed) }
        set { hasDecodedFlag.store(newValue, ordering: .relaxed) }
    }

    /// Why its decoder gave up; its packets are then for nobody. Written by the decode thread only.
    var failure: PlayerError? {
        get { shared.withLock { $0 } }
        set { shared.withLock { $0 = newValue } }
    }
}
