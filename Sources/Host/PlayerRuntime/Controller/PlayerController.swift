// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
public import MediaCore
internal import Sessions
internal import Synchronization

/// Plays one source at a time on a player that its lifecycle strategy gives, under its monitoring strategies.
///
/// Commands may be given from any thread and from inside any callback; they are performed one at a time in their order. One given
/// inside a callback of the host is queued and performed when that is over. What comes of a command are events. What each command
/// does in each state is in `docs/commands.md`; one that means nothing there is `.ignored` with the reason.
///
/// Thread: any. Call `destroy` when done; a controller that is let go without it is torn down later, with a warning.
public final class PlayerController: Sendable {
    struct State {
        var model: PlayedModel?
        var lease: PlayerLease?
        /// The lease of a player that another controller has borrowed.
        var lent: PlayerLease?
        /// What the player tells the session that was open when it was lent.
        var farewell: (awaited: Farewell, of: EventOutput)?
        /// Of the session that was opened last.
        var output: EventOutput?
        /// The controller ended that session, or it never got a player.
        var isOver = true
        /// The user's last wish in that session, which outlasts it.
        var hasPlayIntent = false
        /// What the user set, put in force on whatever player there is.
        var settings = PlaybackSettings()
        var managesLifecycle = true
        var isInBackground = false
        /// In background and not to play there: the player stays paused, whatever is wished.
        var isHeld = false
        /// The session that the lease, or the lent one, was asked for; nil once it was taken away.
        var leasedFor: SessionID?
        /// What `playerState` says without a player.
        var idleState = PlayerState.idle
        var streams: [EventStream] = []
        /// There once a strategy may ask for actions.
        var commandMark: CommandMark?
        var isDestroyed = false
    }

    /// Unique in the environment.
    public let id: ControllerID
    /// The state of the player as far as its events were delivered.
    public let stateStore: PlayerStateStore
    /// The strategies that accompany this controller.
    public let strategyManager: StrategyManager
    /// Who gives players.
    public let lifecycleStrategy: any PlayerLifecycleStrategy
    let environment: PlayerEnvironment
    let commands: SerialCommands
    let notifier: PlayerNotifier
    let reports: ReportNotifier
    let state = Mutex(State())

    /// Makes a controller and gives it the global strategies.
    ///
    /// - Parameter lifecycleStrategy: nil means the environment's default pool: a new player for every source.
    public init(environment: PlayerEnvironment, lifecycleStrategy: (any PlayerLifecycleStrategy)? = nil) {
        self.environment = environment
        id = environment.nextController()
        self.lifecycleStrategy = lifecycleStrategy ?? environment.defaultPool
        environment.setUp(self.lifecycleStrategy)
        commands = SerialCommands(label: "kit.controller.\(id.rawValue)")
        strategyManager = StrategyManager(environment: environment, commands: commands)
        notifier = PlayerNotifier(queue: environment.deliveryQueue, log: environment.log)
        stateStore = PlayerStateStore(notifier: notifier)
        reports = ReportNotifier(queue: environment.deliveryQueue, log: environment.log)
        environment.dispatcher.attach(stateStore, stage: .state, to: id)
        environment.registry.apply(to: strategyManager)
    }

    deinit {
        let left = state.withLock { $0 }
        guard !left.isDestroyed else { return }
        environment.log.w("PlayerController", "controller \(id.rawValue) was let go without destroy()")
        commands.performLater(Teardown(of: self, state: left).run)
    }

    // MARK: What it is doing

    /// What is played, or was last; nil before the first `configure`.
    public var playerModel: PlayerModel? { state.withLock { $0.model }?.value }

    /// The player's state now; the state store's may lag behind by what is not delivered yet.
    public var playerState: PlayerState {
        let (lease, idleState) = state.withLock { ($0.lease, $0.idleState) }
        return lease?.player.state ?? idleState
    }

    /// The media position now; where it was when the player was lent; zero without a player.
    public var currentPosition: MediaTime {
        let (lease, lent) = state.withLock { ($0.lease, $0.lent) }
        return lease?.player.currentPosition ?? (lent == nil ? .zero : stateStore.currentPosition)
    }

    /// Where the last use of this source ended, if its pool still knows: what to `seek` to where the user wants to go on.
    public var resumePosition: MediaTime? { state.withLock { $0.lease }?.resume?.position }

    /// The media's duration; nil while it is not known.
    public var duration: MediaTime? { state.withLock { $0.lease }?.player.duration }

    /// Up to where media has been read; nil while it is not known.
    public var bufferedPosition: MediaTime? { state.withLock { $0.lease }?.player.bufferedPosition }

    /// The tracks of the source; empty until it is prepared.
    public var tracks: [TrackInfo] { state.withLock { $0.lease }?.player.tracks ?? [] }

    // MARK: Who hears of it

    /// Adds a delegate, held weakly; it is called on the delivery queue.
    public func addNotificationDelegate(_ delegate: any PlayerNotificationDelegate) {
        notifier.add(delegate)
    }

    /// Removes a delegate; a call that is on its way may still reach it.
    public func removeNotificationDelegate(_ delegate: any PlayerNotificationDelegate) {
        notifier.remove(delegate)
    }

    /// Adds an observer of the strategies' reports from now on, held weakly; it is called on the delivery queue.
    public func addReportObserver(_ observer: any ReportObserver) {
        if reports.add(observer) { environment.dispatcher.attach(reports, stage: .notification, to: id) }
    }

    /// Removes an observer; a call that is on its way may still reach it.
    public func removeReportObserver(_ observer: any ReportObserver) {
        reports.remove(observer)
    }

    /// A new stream of the controller's events from now on, until it is destroyed. A reader that is too slow loses the oldest:
    /// 4,096 events wait for it at most, and a gap shows in their sequence numbers.
    public var events: AsyncStream<PlayerEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PlayerEvent.self, bufferingPolicy: .bufferingNewest(EventStream.bufferedEvents))
        let sink = EventStream(continuation)
        continuation.onTermination = { [weak self, weak sink] _ in
            guard let self, let sink else { return }
            state.withLock { state in state.streams.removeAll { $0 === sink } }
            environment.dispatcher.detach(sink, from: id)
        }
        environment.dispatcher.attach(sink, stage: .notification, to: id)
        let isOpen = state.withLock { state in
            if !state.isDestroyed { state.streams.append(sink) }
            return !state.isDestroyed
        }
        if !isOpen { sink.finish() }
        return stream
    }
}
