// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// When a session came to the steps of its start, each once.
struct ReadyLedger {
    private(set) var latency = SessionRecord.ReadyLatency()
    private var began: EventTime?

    mutating func accept(_ event: PlayerEvent) {
        switch event.type {
        case .state where event.playerState == .preparing: began = began ?? event.time
        case .opened: stamp(\.opened, event)
        case .streamInfo: stamp(\.streamInfo, event)
        case .firstPacket: stamp(\.firstPacket, event)
        case .firstDecoded: stamp(\.firstDecoded, event)
        case .firstVideoFrame where event.values[1] == 0: stamp(\.firstVideoFrame, event)
        default: break
        }
    }

    private mutating func stamp(_ step: WritableKeyPath<SessionRecord.ReadyLatency, Int64?>, _ event: PlayerEvent) {
        guard let began, latency[keyPath: step] == nil else { return }
        latency[keyPath: step] = event.time - began
    }
}
