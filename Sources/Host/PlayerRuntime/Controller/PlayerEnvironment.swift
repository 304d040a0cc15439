// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import MediaCore
public import Sessions
internal import Synchronization

/// What controllers share: the clock, the event ring and its dispatcher, the player factory, the registry, the default pool.
///
/// The dispatcher's thread ends with the environment, which lives as long as any of its controllers.
///
/// Thread: any.
public final class PlayerEnvironment: Sendable {
    /// What every event of these controllers is stamped with.
    public let clock: any EventClock
    /// Where their players post.
    public let queue: EventQueue
    /// Who puts the events in order and hands them out.
    public let dispatcher: EventDispatcher
    /// What gives a new controller its strategies.
    public let registry: StrategyRegistry
    /// Where these controllers and their pools log.
    public let log: LogHub
    /// What a controller uses that was given no lifecycle strategy: one player a source.
    public let defaultPool: PlayerPool
    let numbering: SessionNumbering
    let volatileQuery: VolatileQuery
    let deliveryQueue: DispatchQueue
    let collectReport: @Sendable (ReportEntry, _ instance: String) -> Void
    /// Real time a monitoring strategy may take for its last events.
    let finishMilliseconds: Int
    private let factory: ReplaceableFactory
    private let lastController = Atomic<UInt32>(0)

    /// - Parameters:
    ///   - factory: makes the players, until another is set.
    ///   - isLossless: producers wait for room in the event ring; for virtual time only.
    ///   - recorder: gets every event in the order of delivery.
    ///   - deliveryQueue: where delegates are called; nil means a private serial queue.
    ///   - finishMilliseconds: real time a monitoring strategy may take for its last events.
    ///   - collectReport: gets the strategies' reports, on any thread.
    ///   - collectSession: gets the record of each session that ended, on the dispatcher's thread.
    public init(
        clock: any EventClock, factory: any PlayerFactory, registry: StrategyRegistry = .shared, log: LogHub = .shared,
        isLossless: Bool = false, recorder: EventRecorder? = nil, deliveryQueue: DispatchQueue? = nil,
        volatileQuery: VolatileQuery = .standard, finishMilliseconds: Int = 2000,
        collectReport: @escaping @Sendable (ReportEntry, _ instance: String) -> Void = { _, _ in },
        collectSession: @escaping @Sendable (SessionRecord) -> Void = { _ in }
    ) {
        self.clock = clock
        self.registry = registry
        self.log = log
        self.volatileQuery = volatileQuery
        self.finishMilliseconds = finishMilliseconds
        self.collectReport = collectReport
        self.deliveryQueue = deliveryQueue ?? DispatchQueue(label: "kit.delivery")
        self.factory = ReplaceableFactory(factory)
        queue = EventQueue(isLossless: isLossless)
        numbering = SessionNumbering()
        dispatcher = EventDispatcher(
            queue: queue, clock: clock, numbering: numbering, log: log, recorder: recorder,
            collectSession: collectSession)
        defaultPool = PlayerPool(clock: clock, log: log)
        defaultPool.setup(factory: self.factory)
        dispatcher.start()
    }

    deinit {
        dispatcher.shutDown()
    }

    /// Makes the players of every pool of this environment. Players that exist are not touched by a change.
    public var playerFactory: any PlayerFactory { factory.current }

    /// Replaces the player factory; nil restores the original one.
    public func setPlayerFactory(_ factory: (any PlayerFactory)?) {
        self.factory.replace(by: factory)
    }

    /// Says how the machine is connected: every controller, and each that comes later, tells it as an event.
    public func setNetwork(_ network: NetworkState) {
        dispatcher.setNetwork(network)
    }

    /// What a pool is set up with, so that a later change of factory reaches it.
    func setUp(_ pool: any PlayerLifecycleStrategy) {
        pool.setup(factory: factory)
    }

    func nextController() -> ControllerID {
        ControllerID(rawValue: lastController.add(1, ordering: .relaxed).newValue)
    }
}

/// Forwards to whichever factory is in force.
private final class ReplaceableFactory: PlayerFactory {
    private let original: any PlayerFactory
    private let replacement = Mutex<(any PlayerFactory)?>(nil)

    init(_ original: any PlayerFactory) {
        self.original = original
    }

    var current: any PlayerFactory { replacement.withLock { $0 } ?? original }

    func replace(by factory: (any PlayerFactory)?) {
        replacement.withLock { $0 = factory }
    }

    func makePlayer() throws(PlayerError) -> any MediaPlayer {
        try current.makePlayer()
    }

    func relieve() {
        current.relieve()
        if current !== original { original.relieve() }
    }
}
