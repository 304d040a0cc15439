// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// The events that a late subscriber is told of: the newest of each kind that says how things stand.
struct StickyEvents {
    private var prepared: PlayerEvent?
    private var firstFrame: PlayerEvent?
    private var state: PlayerEvent?
    private var network: PlayerEvent?

    mutating func note(_ event: PlayerEvent) {
        switch event.type {
        case .prepared: prepared = event
        case .firstVideoFrame: firstFrame = event
        case .state: state = event
        case .network: network = event
        default: break
        }
    }

    /// A session opens; what belonged to the former one is over. The network stays.
    mutating func forgetSession() {
        prepared = nil
        firstFrame = nil
        state = nil
    }

    /// In the order in which they happened.
    var replayed: [PlayerEvent] {
        [prepared, firstFrame, state, network].compactMap(\.self).sorted { $0.sequence < $1.sequence }
            .map { event in
                var event = event
                event.flags.insert(.replayed)
                return event
            }
    }
}
