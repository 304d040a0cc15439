// SPDX-License-Identifier: Apache-2.0

internal import MachineNetwork
public import MediaCore
internal import PlayerEngine
public import PlayerRuntime
internal import PluginHost
internal import Synchronization

/// The kit of an application: set up once, then make controllers.
///
/// ```swift
/// try PlayerKit.setup()
/// let controller = PlayerController()
/// controller.configure(PlayerModel(videoSource: .url("movie.mp4")))
/// ```
///
/// Thread: any.
public enum PlayerKit {
    private struct State {
        var environment: PlayerEnvironment?
        var installation: Installation?
        var network: NetworkWatch?
        var onGlobalInit: (@Sendable () -> Void)?
    }

    private static let state = Mutex(State())

    /// Finds the built-in strategies, registers them for every new controller, begins to watch the machine's network, and starts the kit.
    /// A second call does nothing.
    ///
    /// - Parameters:
    ///   - pluginDirectory: where the built-in strategies are; nil: beside the executable, or in the installed copy that it
    ///     belongs to.
    ///   - stateDirectory: where it is remembered which plugins keep failing, so that they are not run for an hour, and where files about
    ///     faults go; made when it is needed. `Installation.usualStateDirectory` is that of `kitshell`. nil: nothing is remembered.
    /// - Throws: `io.not_found` that names the places that were looked in, or the directory that is none.
    public static func setup(pluginDirectory: String? = nil, stateDirectory: String? = nil) throws(PlayerError) {
        guard !isInitialized else { return }
        let installation = try Installation(pluginDirectory: pluginDirectory, stateDirectory: stateDirectory)
        StrategyRegistry.shared.setBuiltIns { BuiltinMonitors.factories(of: installation.catalog) }
        let clock = MonotonicClock()
        let environment = PlayerEnvironment(clock: clock, factory: LibAVPlayerFactory(clock: clock))
        let network = NetworkWatch()
        let (isFirst, onGlobalInit) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard state.environment == nil else { return (false, nil) }
            state.environment = environment
            state.installation = installation
            state.network = network
            return (true, state.onGlobalInit)
        }
        guard isFirst else { return }
        environment.setNetwork(network.state)
        network.start { environment.setNetwork($0) }
        onGlobalInit?()
    }

    /// Whether `setup` has succeeded. Thread: any.
    public static var isInitialized: Bool { state.withLock { $0.environment != nil } }

    /// Has `body` called once, at the end of `setup`. Set it before.
    public static func setOnGlobalInit(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onGlobalInit = body }
    }

    /// The kit's version.
    public static var playerKitVersion: String { HostVersions.product }
    /// The version of the media library under it.
    public static var sdkVersion: String { HostVersions.libavformat }

    /// What controllers share.
    ///
    /// - Precondition: `setup` has succeeded.
    public static var environment: PlayerEnvironment {
        guard let environment = state.withLock({ $0.environment }) else {
            preconditionFailure("PlayerKit is used before it was set up; call try PlayerKit.setup() at the start")
        }
        return environment
    }

    /// What `setup` found; nil before.
    static var installation: Installation? { state.withLock { $0.installation } }

    // MARK: Log

    /// Lines below it are not made. Default: info.
    public static var logLevel: LogLevel {
        get { LogHub.shared.logLevel }
        set { LogHub.shared.logLevel = newValue }
    }

    /// Whether lines go to stderr. Default: yes.
    public static var isConsoleLogEnabled: Bool {
        get { LogHub.shared.consoleLogEnabled }
        set { LogHub.shared.consoleLogEnabled = newValue }
    }

    // MARK: Players

    /// Makes the players of every pool.
    public static var playerFactory: any PlayerFactory { environment.playerFactory }

    /// Replaces the player factory; nil restores the kit's own. Players that exist are not touched.
    public static func setPlayerFactory(_ factory: (any PlayerFactory)?) {
        environment.setPlayerFactory(factory)
    }
}

extension PlayerController {
    /// Makes a controller and gives it the global strategies.
    ///
    /// - Parameter lifecycleStrategy: nil: a new player for every source.
    /// - Precondition: `PlayerKit.setup` has succeeded.
    public convenience init(lifecycleStrategy: (any PlayerLifecycleStrategy)? = nil) {
        self.init(environment: PlayerKit.environment, lifecycleStrategy: lifecycleStrategy)
    }
}
