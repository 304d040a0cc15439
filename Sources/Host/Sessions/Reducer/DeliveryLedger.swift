// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// Bytes that a session read, by what the machine was connected through and what they were read for when they were told of, and how
/// often it tried again or opened the source again. What the machine reads of its own is under `none`.
struct DeliveryLedger {
    private var bytes = SessionRecord.Bytes()
    private var byPurpose: [SessionRecord.Bytes.Purpose: Int64] = [:]
    /// Whether what is read to find out what the source is has been told by itself; nil until it is prepared.
    private var tellsProbe: Bool?
    private var throughput = ThroughputLedger()
    private(set) var retries: Int64 = 0
    /// Why it tried again last; nil if that was not told.
    private(set) var retryReason: String?
    private(set) var reopens: Int64 = 0
    private var isOpen: Bool

    /// - Parameter isContinued: whether the session took over a source that was open and prepared.
    init(isContinued: Bool) {
        isOpen = isContinued
        tellsProbe = isContinued ? true : nil
    }

    mutating func accept(_ event: PlayerEvent, network: NetworkType, purpose: SessionRecord.Bytes.Purpose) {
        switch event.type {
        case .bytes:
            throughput.accept(event)
            guard let read = event.count(0) else { return }
            let step = max(0, read - (bytes.read ?? 0))
            bytes.read = max(bytes.read ?? 0, read)
            bytes.byNetwork[network, default: 0] += step
            byPurpose[purpose, default: 0] += step
        case .prepared: tellsProbe = tellsProbe ?? (bytes.read != nil)
        case .retry:
            retries += 1
            if !event.text.isEmpty { retryReason = event.text }
        case .opened:
            if isOpen { reopens += 1 }
            isOpen = true
        default: break
        }
    }

    /// - Parameter isWasted: whether the session has ended without the owner that it was preloaded for.
    func bytes(isWasted: Bool) -> SessionRecord.Bytes {
        var bytes = bytes
        bytes.throughput = throughput.samples
        guard bytes.read != nil, tellsProbe ?? true else { return bytes }
        var purposes = byPurpose
        if isWasted { purposes[.wastedPreload] = purposes.removeValue(forKey: .preload) }
        bytes.byPurpose = purposes
        return bytes
    }
}
