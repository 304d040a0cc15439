// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Bytes that a session read, by what the machine was connected through when they were told of, and how often it tried again.
struct DeliveryLedger {
    private(set) var bytes = SessionRecord.Bytes()
    private(set) var retries: Int64 = 0

    mutating func accept(_ event: PlayerEvent, network: NetworkType) {
        switch event.type {
        case .bytes:
            guard let read = event.value(0), read >= 0 else { return }
            let step = max(0, read - (bytes.read ?? 0))
            bytes.read = max(bytes.read ?? 0, read)
            bytes.byNetwork[network, default: 0] += step
        case .retry: retries += 1
        default: break
        }
    }
}
