// SPDX-License-Identifier: Apache-2.0

internal import PluginABI
public import PluginSupport

/// Tells that a session plays on a cellular network, and that the network is Wi-Fi again. Detection only; it never acts.
///
/// Purpose: the record `traffic` (the newest type of network, whether it is metered, how many cellular episodes were told), one
/// occurrence `cellular_detected` per episode and one `wifi_detected` after an episode that was told.
/// Inputs: request, player state (of a late registration), network, tick, session state.
/// Tunables: `debounce_ms` (a change of network counts once it has lasted so long, 0 or more, default 2000).
/// Cost: constant per event; a record when the network changes or an episode is told.
public final class TrafficProtection: MonitorPlugin {
    public static let wantedEvents: [PluginEventKind] = [.request, .state, .tick, .network, .sessionState]

    private var round: TrafficProtectionRound

    public init(options: PluginOptions) throws {
        let debounce = options.duration("debounce_ms") ?? 2_000_000
        guard debounce >= 0 else { throw PluginFailure(.config, "debounce_ms must be at least 0") }
        round = TrafficProtectionRound(debounce: debounce)
    }

    public func handle(_ batch: PluginEventBatch, reports: any PluginReportOutput) throws {
        for event in batch.events where event.session != 0 {
            let isFirst = event.session != round.session
            if isFirst { round = TrafficProtectionRound(session: event.session, after: round) }
            let found = round.accept(event)
            // The record comes before every occurrence, however the events are cut into batches.
            if isFirst || found.changesRecord { try emit(round.record, to: reports) }
            for occurrence in found.occurrences { try emit(occurrence, to: reports) }
        }
    }

    private func emit(_ report: PluginReport, to reports: any PluginReportOutput) throws {
        do {
            try reports.emit(report)
        } catch let failure as PluginFailure where failure.result == .limit {
            // The host counts what it cuts; it is no failure of the strategy.
        }
    }
}

/// What the machine is connected through, as the newest event of it says.
struct TrafficNetwork: Equatable {
    /// `KIT_NETWORK_*`; nil if nobody knows.
    var type: Int64?
    var isMetered: Bool?

    init() {}

    init(_ event: PluginEvent) {
        type = event.value(0).flatMap { $0 == Int64(KIT_NETWORK_UNKNOWN) ? nil : $0 }
        isMetered = event.value(1).map { $0 != 0 }
    }

    var isCellular: Bool { type == Int64(KIT_NETWORK_CELLULAR) }
    var isWifi: Bool { type == Int64(KIT_NETWORK_WIFI) }

    /// The spelling of event logs; nil for a type that this version does not know.
    var name: String? {
        switch type.flatMap(Int.init(exactly:)) {
        case KIT_NETWORK_NONE: "none"
        case KIT_NETWORK_WIFI: "wifi"
        case KIT_NETWORK_ETHERNET: "ethernet"
        case KIT_NETWORK_CELLULAR: "cellular"
        default: nil
        }
    }
}
