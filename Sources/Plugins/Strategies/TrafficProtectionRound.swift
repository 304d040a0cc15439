// SPDX-License-Identifier: Apache-2.0

internal import PluginABI
internal import PluginSupport

/// What one session has of the cellular episodes of its controller. All times are event time in microseconds.
///
/// An episode begins when a session plays on a cellular network, is told once it has lasted as long as the debounce, and ends when
/// another network, or none, has lasted as long. One that ends before it was told leaves no trace. It is the network's and goes on
/// from session to session: of short clips one after the other the first few begin one, and only one tells it.
struct TrafficProtectionRound {
    /// What came of an event.
    struct Found {
        var changesRecord = false
        var occurrences: [PluginReport] = []
    }

    private struct Episode {
        var start: Int64
        var isTold = false
        /// Since when the network is another one; nil while it is cellular.
        var leftAt: Int64?
    }

    /// Times beyond it are none; below it no sum with a debounce overflows.
    private static let timeLimit: Int64 = 1 << 61

    let session: UInt32
    private let debounce: Int64
    private var network: TrafficNetwork
    /// Whether at any time of the session it was known what the network is.
    private var hasKnownNetwork: Bool
    private var isPlaying = false
    private var isOver = false
    private var requested: Int64?
    private var now: Int64?

    private var episode: Episode?
    /// An episode that was told is over, and Wi-Fi has not been told since.
    private var owesWifi = false
    private var wifiSince: Int64?
    private var toldEpisodes: Int64 = 0

    /// Before the first session.
    init(debounce: Int64) {
        session = 0
        self.debounce = min(debounce, TrafficProtectionRound.timeLimit)
        network = TrafficNetwork()
        hasKnownNetwork = false
    }

    /// A session that opens is not told of the network again, nor of an episode that goes on.
    init(session: UInt32, after former: TrafficProtectionRound) {
        self.session = session
        debounce = former.debounce
        network = former.network
        hasKnownNetwork = network.type != nil
        now = former.now
        (episode, owesWifi, wifiSince) = (former.episode, former.owesWifi, former.wifiSince)
    }

    /// Takes the next event of the session.
    mutating func accept(_ event: PluginEvent) -> Found {
        guard !isOver else {
            if event.kind == .network { network = TrafficNetwork(event) }
            return Found()
        }
        if event.flags & UInt32(KIT_EVENT_FLAG_REPLAYED) != 0 { return catchUp(event) }
        let bounded = min(max(event.time, -TrafficProtectionRound.timeLimit), TrafficProtectionRound.timeLimit)
        let time = max(bounded, now ?? bounded)
        now = time
        var found = fire(at: time)
        switch event.kind {
        case .request: requested = requested ?? time
        case .network:
            learn(event)
            found.changesRecord = true
        case .sessionState:
            guard let state = event.value(0) else { break }
            isPlaying = state == Int64(KIT_SESSION_PLAYING)
            isOver = state >= Int64(KIT_SESSION_ENDED)
        default: break
        }
        follow(at: time)
        return found
    }

    /// What is known so far.
    var record: PluginReport {
        var fields: [PluginReport.Field] = [
            .init("type", network.name.map { .string($0) } ?? .unknown),
            .init("metered", network.isMetered.map { .flag($0) } ?? .unknown),
            .init("cellular_episodes", hasKnownNetwork ? .int(toldEpisodes) : .unknown),
        ]
        // Registered after the request, it has not seen all of the session.
        if requested == nil { fields.append(.init("partial", .flag(true))) }
        return PluginReport(.record, session: session, name: "traffic", fields: fields)
    }

    /// Takes what a late registration has missed: it says how things are, not when they came to be so.
    private mutating func catchUp(_ event: PluginEvent) -> Found {
        switch event.kind {
        case .network:
            learn(event)
            return Found(changesRecord: true)
        case .state: isPlaying = event.value(0) == Int64(KIT_STATE_PLAYING)
        default: break
        }
        return Found()
    }

    private mutating func learn(_ event: PluginEvent) {
        network = TrafficNetwork(event)
        hasKnownNetwork = hasKnownNetwork || network.type != nil
    }

    /// The network or the play state may have changed.
    private mutating func follow(at time: Int64) {
        wifiSince = network.isWifi ? wifiSince ?? time : nil
        if network.isCellular {
            if episode != nil {
                episode?.leftAt = nil
            } else if isPlaying {
                episode = Episode(start: time)
            }
        } else if let left = episode {
            episode?.leftAt = left.leftAt ?? time
        }
    }

    /// Does what is due.
    private mutating func fire(at time: Int64) -> Found {
        var found = Found()
        if let current = episode {
            if let leftAt = current.leftAt {
                if time - leftAt >= debounce {
                    owesWifi = owesWifi || current.isTold
                    episode = nil
                }
            } else if !current.isTold, time - current.start >= debounce {
                episode?.isTold = true
                owesWifi = false
                toldEpisodes += 1
                found.changesRecord = true
                found.occurrences.append(occurrence("cellular_detected", at: current.start))
            }
        }
        if owesWifi, let since = wifiSince, time - since >= debounce {
            owesWifi = false
            found.occurrences.append(occurrence("wifi_detected", at: since))
        }
        return found
    }

    private func occurrence(_ name: String, at start: Int64) -> PluginReport {
        PluginReport(
            .occurrence, session: session, name: name,
            fields: [.init("start_ms", .duration(requested.map { max(0, start - $0) }))])
    }
}
