// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Bytes that a session read, by what the machine was connected through when they were told of, and how often it tried again or opened
/// the source again. What the machine reads of its own is under `none`.
struct DeliveryLedger {
    private(set) var bytes = SessionRecord.Bytes()
    private(set) var retries: Int64 = 0
    private(set) var reopens: Int64 = 0
    private var isOpen: Bool

    /// - Parameter isOpen: whether the session took over a source that was open.
    init(isOpen: Bool) {
        self.isOpen = isOpen
    }

    mutating func accept(_ event: PlayerEvent, network: NetworkType) {
        switch event.type {
        case .bytes:
            guard let read = event.count(0) else { return }
            let step = max(0, read - (bytes.read ?? 0))
            bytes.read = max(bytes.read ?? 0, read)
            bytes.byNetwork[network, default: 0] += step
        case .retry: retries += 1
        case .opened:
            if isOpen { reopens += 1 }
            isOpen = true
        default: break
        }
    }
}

extension SessionRecord.Frames {
    /// Takes counts that only grow: one that is missing or less than known before says nothing.
    mutating func count(_ event: PlayerEvent) {
        let grown = { (known: Int64?, index: Int) -> Int64? in
            event.count(index).map { max($0, known ?? 0) } ?? known
        }
        decoded = grown(decoded, 0)
        presented = grown(presented, 1)
        droppedLate = grown(droppedLate, 2)
        droppedByDecoder = grown(droppedByDecoder, 3)
        skipped = grown(skipped, 4)
    }
}
