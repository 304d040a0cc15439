// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import MediaCore
public import PlayerRuntime
public import Sessions
import Synchronization

/// An environment of fakes with an empty registry and a silent log.
public final class FakeStage: Sendable {
    public let clock = FakeClock()
    public let factory: FakePlayerFactory
    public let log = LogHub(console: { _ in })
    public let registry = StrategyRegistry()
    public let deliveryQueue = DispatchQueue(label: "test.delivery")
    public let environment: PlayerEnvironment

    public init(
        script: FakePlayerScript = FakePlayerScript(), isLossless: Bool = false, deliveryQueue: DispatchQueue? = nil
    ) {
        factory = FakePlayerFactory(script: script)
        let box = Box()
        environment = PlayerEnvironment(
            clock: clock, factory: factory, registry: registry, log: log, isLossless: isLossless,
            recorder: { events in box.state.withLock { $0.events += events } },
            deliveryQueue: deliveryQueue ?? self.deliveryQueue,
            collectReport: { entry, _ in box.state.withLock { $0.reports.append(entry) } },
            collectSession: { record in box.state.withLock { $0.sessions.append(record) } })
        self.box = box
    }

    private let box: Box

    private final class Box: Sendable {
        let state = Mutex<(events: [PlayerEvent], reports: [ReportEntry], sessions: [SessionRecord])>(([], [], []))
    }

    /// Everything the dispatcher delivered so far, after it has delivered what was posted.
    public var events: [PlayerEvent] {
        environment.dispatcher.barrier()
        return box.state.withLock { $0.events }
    }

    /// The same without what the host adds: ticks and session states.
    public var posted: [EventType] {
        events.map(\.type).filter { $0 != .tick && $0 != .sessionState }
    }

    public var reports: [ReportEntry] { box.state.withLock { $0.reports } }

    /// The sessions that have ended.
    public var sessions: [SessionRecord] {
        environment.dispatcher.barrier()
        return box.state.withLock { $0.sessions }
    }

    /// Waits until the delegates have been told what was posted so far.
    public func deliver() {
        environment.dispatcher.barrier()
        deliveryQueue.sync {}
    }

    public func model(_ url: String = "/media/a.mp4", autoPlay: Bool = true) -> PlayerModel {
        var model = PlayerModel(videoSource: .url(url))
        model.autoPlay = autoPlay
        return model
    }
}
