// SPDX-License-Identifier: Apache-2.0

import MediaCore

/// The events of a playback, one by one.
enum PlayMix {
    static func position(_ index: Int) -> MediaTime {
        MediaTime(microseconds: Int64(index) * 40_000)
    }

    /// Mostly positions, as in play; now and then a pair of edges.
    @inline(__always)
    static func event(_ index: Int) -> PlayerEvent {
        switch index % 200 {
        case 198: .loadingBegin(cause: .network)
        case 199: .loadingEnd
        default: .position(position(index), buffered: position(index))
        }
    }
}
