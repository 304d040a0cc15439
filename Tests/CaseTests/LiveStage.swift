// SPDX-License-Identifier: Apache-2.0

import JSONText
import MediaCore
import PlayerEngine
import PlayerRuntime
import PluginHost
import Sessions
import Synchronization
import TestSupport
import Testing

/// A controller over real players under the built-in strategies, on event time that the test moves, and all that is told of it.
///
/// Time stands unless a test moves it, so every figure is exact however busy the machine is.
///
/// Thread: the test's.
final class LiveStage {
    /// What the dispatcher told. Thread: any.
    private final class Told: Sendable {
        struct State: Sendable {
            var events: [PlayerEvent] = []
            var records: [SessionRecord] = []
            var reports = ReportCollector()
        }

        let state = Mutex(State())
    }

    let clock = HandClock()
    let environment: PlayerEnvironment
    let controller: PlayerController
    let pool: PlayerPool
    let factory: LibAVPlayerFactory
    private let told = Told()
    /// Events up to here have been looked at by `wait`.
    private var seen = 0

    /// The built-ins stay mapped, so their directory stays as long as the process.
    private static let builtins = Result {
        try StagedBuiltins(
            "first-frame", "stutter-detect", "traffic-protection", "default", "reuse-pool", "id-scoped-pool",
            "singleton")
    }
    private static let catalog = Result {
        PluginCatalog(
            builtinDirectory: try builtins.get().path,
            makePlace: PluginPlaces.maker(log: LogHub(console: { _ in })))
    }
    private static let step: Int64 = 20
    private static let longest: Int64 = 60_000

    /// The built-in lifecycle strategies.
    static let lifecycles = ["default", "reuse-pool", "id-scoped-pool", "singleton"]

    /// - Parameter lifecycle: one of `lifecycles`; nil: a new player for every source.
    init(lifecycle: String? = nil, sinks: SinkFactory = .null) throws {
        let monitors = try ["first-frame", "stutter-detect", "traffic-protection"].map { try LiveStage.plugin($0) }
        let told = told
        let log = LogHub(console: { _ in })
        factory = LibAVPlayerFactory(clock: clock, sinks: sinks)
        environment = PlayerEnvironment(
            clock: clock, factory: factory,
            registry: StrategyRegistry(builtIns: {
                monitors.map { plugin in { try LiveStage.monitor(plugin, name: plugin.note.id) } }
            }),
            log: log,
            recorder: { events in
                told.state.withLock { state -> Void in state.events += events }
            },
            collectReport: { entry, name in
                told.state.withLock { state -> Void in _ = state.reports.accept(entry, instance: name) }
            },
            collectSession: { record in told.state.withLock { $0.records.append(record) } })
        let policy = try lifecycle.map {
            try PluginLifecyclePolicy(plugin: try LiveStage.plugin($0), name: $0, options: [])
        }
        pool = PlayerPool(policy: policy, clock: clock, log: log)
        controller = PlayerController(environment: environment, lifecycleStrategy: pool)
    }

    private static func plugin(_ name: String) throws -> HostedPlugin {
        try #require(try catalog.get().builtin(name))
    }

    /// A built-in monitor under another name, to be registered when a test wants it.
    static func monitor(_ id: String, name: String) throws -> PluginMonitorStrategy {
        try monitor(try plugin(id), name: name)
    }

    private static func monitor(_ plugin: HostedPlugin, name: String) throws -> PluginMonitorStrategy {
        PluginMonitorStrategy(
            plugin: plugin, name: name, options: try plugin.options.values(for: []), isLossless: false)
    }

    // MARK: Playing

    /// Plays a source as a new session.
    func configure(_ url: String, autoPlay: Bool = true, _ change: (inout PlayerModel) -> Void = { _ in }) {
        controller.configure(model(url, autoPlay: autoPlay, change))
    }

    /// A source as it is played here.
    func model(_ url: String, autoPlay: Bool = true, _ change: (inout PlayerModel) -> Void = { _ in }) -> PlayerModel {
        var model = PlayerModel(videoSource: .url(url))
        model.autoPlay = autoPlay
        model.configuration.decoderThreads = 2
        // Real time, which must not matter.
        model.configuration.networkTimeout = .seconds(600)
        change(&model)
        return model
    }

    func seek(to milliseconds: Int64, mode: SeekMode = .exact) {
        controller.seek(to: MediaTime(microseconds: milliseconds * 1000), mode: mode)
    }

    /// Moves time at once, after what there is to do by now.
    func pass(_ milliseconds: Int64) {
        settle()
        clock.advance(milliseconds: milliseconds)
        settle()
        environment.dispatcher.barrier()
    }

    /// Moves time as playback keeps up with it.
    func play(_ milliseconds: Int64) {
        var rest = milliseconds
        while rest > 0 {
            pass(min(rest, LiveStage.step))
            rest -= LiveStage.step
        }
    }

    /// Moves time until something happens that has not been waited for before.
    func play(until what: String, _ condition: (PlayerEvent) -> Bool) {
        for _ in 0...(LiveStage.longest / LiveStage.step) {
            if look(for: condition) { return }
            pass(LiveStage.step)
        }
        Issue.record("played in vain for \(what); got \(names)")
    }

    func play(until type: EventType) {
        play(until: "event \(type.rawValue)") { $0.type == type }
    }

    /// Waits, while time stands, until something happens that has not been waited for before.
    func wait(_ what: String, _ condition: (PlayerEvent) -> Bool) {
        if !Patience.wait(until: { look(for: condition) }) {
            Issue.record("waited in vain for \(what); got \(names)")
        }
    }

    func wait(for type: EventType) {
        wait("event \(type.rawValue)") { $0.type == type }
    }

    /// Waits, while time stands, until the source has been read to its end since the last seek.
    func waitUntilReadOut() {
        let isReadOut = Patience.wait {
            let all = events
            let session = all.last { $0.type == .request }?.session
            return all.last { $0.session == session && [.demuxEOF, .seekBegin].contains($0.type) }?.type == .demuxEOF
        }
        if !isReadOut { Issue.record("the source is not read to its end; got \(names)") }
    }

    /// Waits, while time stands, until media has been read up to a position.
    func waitUntilRead(to milliseconds: Int64) {
        let isRead = Patience.wait { (controller.bufferedPosition?.milliseconds ?? 0) >= Double(milliseconds) }
        if !isRead { Issue.record("media is read up to \(String(describing: controller.bufferedPosition)) only") }
    }

    private func settle() {
        if !clock.settles(besidesFirst: true) { Issue.record("the media threads do not come to rest; got \(names)") }
    }

    private func look(for condition: (PlayerEvent) -> Bool) -> Bool {
        let all = events
        guard let index = all[seen...].firstIndex(where: condition) else { return false }
        seen = index + 1
        return true
    }

    // MARK: What was told

    /// Everything that was posted so far, in the order of delivery.
    var events: [PlayerEvent] {
        environment.dispatcher.barrier()
        return told.state.withLock { $0.events }
    }

    func events(of session: UInt32) -> [PlayerEvent] {
        events.filter { $0.session.rawValue == session }
    }

    func count(_ type: EventType) -> Int { events.count { $0.type == type } }

    private var names: String { events.suffix(60).map { "\($0.type.rawValue)" }.joined(separator: " ") }

    /// The session that is open as of now.
    var open: JSONValue? {
        get throws { try read(environment.dispatcher.openRecords()).last }
    }

    /// Ends the controller and tells of its sessions as a reader of the report has them.
    func end() throws -> [JSONValue] {
        controller.destroy()
        return try read(records)
    }

    /// The text of the report's `sessions`, for comparing byte for byte.
    var sessionsText: String { text(records) }

    /// The sessions that have ended.
    private var records: [SessionRecord] {
        environment.dispatcher.barrier()
        return told.state.withLock { $0.records }.sorted { $0.session < $1.session }
    }

    private func text(_ records: [SessionRecord]) -> String {
        let reports = told.state.withLock { $0.reports }
        let rows = records.map {
            SessionReport(record: $0, reports: reports, builtIns: Set(SessionReport.BuiltIn.allCases))
        }
        return JSONWriter.text(SessionReport.json(rows), style: .pretty)
    }

    private func read(_ records: [SessionRecord]) throws -> [JSONValue] {
        try JSONReader().read(text(records)).array ?? []
    }

    /// Writes the event log of everything so far.
    func record(to path: String) throws {
        let bytes = Mutex<[UInt8]>([])
        var writer = EventLogWriter { more in bytes.withLock { $0 += more } }
        for event in events { try writer.write(event) }
        try writer.flush()
        try bytes.withLock { $0 }.write(to: path)
    }
}
