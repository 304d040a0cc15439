// SPDX-License-Identifier: Apache-2.0

public import MediaCore
public import PlayerRuntime
public import Sessions
internal import Synchronization

/// Hears from the built-in `traffic-protection` strategy of a controller. It only detects; what follows from it is the application's choice.
///
/// Thread: the delivery queue of the controller, one call at a time.
public protocol TrafficProtectionStrategyDelegate: AnyObject, Sendable {
    /// A session plays on a cellular network. Once an episode, after the debounce.
    func trafficProtectionStrategyDidDetectCellularNetwork(_ strategy: TrafficProtectionStrategy)
    /// The network is Wi-Fi again, after an episode that was told.
    func trafficProtectionStrategyDidDetectWifiNetwork(_ strategy: TrafficProtectionStrategy)
}

/// Playback on cellular networks, as a controller's built-in `traffic-protection` strategy reports it.
///
/// Thread: any. It tells from its creation on, as long as it is held.
public final class TrafficProtectionStrategy: ReportObserver, Sendable {
    /// A network that was detected.
    public struct Detection: Hashable, Sendable {
        /// `cellular` or `wifi`.
        public var network: NetworkType
        public var session: SessionID
        /// From the request of the source to when it began, the debounce not counted; nil if the request was not seen.
        public var start: Duration?
    }

    /// The name of the strategy whose reports it reads.
    public static let strategyName = SessionReport.BuiltIn.traffic.instance

    private struct State {
        weak var delegate: (any TrafficProtectionStrategyDelegate)?
        var isOnCellularNetwork = false
    }

    private let state = Mutex(State())
    private let broadcast = Broadcast<Detection>()

    public init(controller: PlayerController) {
        controller.addReportObserver(self)
    }

    /// Held weakly.
    public var delegate: (any TrafficProtectionStrategyDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Whether the network that was told last is a cellular one, the debounce not awaited.
    public var isOnCellularNetwork: Bool { state.withLock { $0.isOnCellularNetwork } }

    /// A new stream of detections from now on, until the controller is destroyed.
    public var detections: AsyncStream<Detection> { broadcast.stream }

    public func strategyDidReport(_ entry: ReportEntry, instance: String) {
        guard instance == TrafficProtectionStrategy.strategyName else { return }
        switch entry.name {
        case "traffic":
            let isCellular = entry.string("type") == NetworkType.cellular.name
            state.withLock { $0.isOnCellularNetwork = isCellular }
        case "cellular_detected":
            delegate?.trafficProtectionStrategyDidDetectCellularNetwork(self)
            broadcast.send(Detection(network: .cellular, session: entry.session, start: entry.duration("start_ms")))
        case "wifi_detected":
            delegate?.trafficProtectionStrategyDidDetectWifiNetwork(self)
            broadcast.send(Detection(network: .wifi, session: entry.session, start: entry.duration("start_ms")))
        default: break
        }
    }

    public func strategiesDidFinish(_ session: SessionID) {}

    public func strategiesDidEnd() {
        broadcast.finish()
    }
}
