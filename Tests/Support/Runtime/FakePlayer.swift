// SPDX-License-Identifier: Apache-2.0

public import MediaCore
import Synchronization

/// A player without media: it prepares and shows its first frame at once, and goes on only when a test says so.
public final class FakePlayer: MediaPlayer {
    private struct State {
        var state = PlayerState.idle
        var output: EventOutput?
        var source: VideoSource?
        var isStartWanted = false
        var hasShownFrame = false
        var frames: Int64 = 0
        var commands: [String] = []
        var settings = PlaybackSettings()
        var position = MediaTime.zero
        var isDestroyed = false
    }

    public let playerID: Int64
    private let current = Mutex(State())
    private let script: FakePlayerScript

    init(playerID: Int64, script: FakePlayerScript) {
        self.playerID = playerID
        self.script = script
    }

    public var state: PlayerState { current.withLock { $0.state } }
    public var currentPosition: MediaTime { current.withLock { $0.position } }
    public var bufferedPosition: MediaTime? { nil }
    public var settings: PlaybackSettings { current.withLock { $0.settings } }
    public var tracks: [TrackInfo] {
        switch state {
        case .idle, .preparing, .stopped, .error: []
        default: FakePlayer.tracks
        }
    }

    /// What every source of a fake player holds.
    public static let tracks = [
        TrackInfo(index: 0, kind: .video, codec: "fake"), TrackInfo(index: 1, kind: .audio, codec: "fake"),
        TrackInfo(index: 2, kind: .audio, codec: "fake"),
    ]

    public var duration: MediaTime? { state == .idle ? nil : MediaTime(microseconds: 5_000_000) }
    /// The commands so far, in their order.
    public var commands: [String] { current.withLock { $0.commands } }
    public var isDestroyed: Bool { current.withLock { $0.isDestroyed } }
    public var source: VideoSource? { current.withLock { $0.source } }

    public func setDataSource(_ model: PlayerModel, output: EventOutput) throws(PlayerError) {
        if let error = script.dataSourceError { throw error }
        current.withLock { current in
            current.commands.append("setDataSource")
            current.source = model.videoSource
            current.output = output
            current.hasShownFrame = false
            current.frames = 0
            current.isStartWanted = false
        }
    }

    public func prepare() {
        note("prepare")
        enter(.preparing)
        guard script.preparesAtOnce else { return }
        finishPreparing()
    }

    /// Becomes prepared, and plays if it was told to.
    public func finishPreparing() {
        post(.prepared(MediaDescription(container: "fake", duration: MediaTime(microseconds: 5_000_000))))
        enter(.prepared)
        if current.withLock({ $0.isStartWanted }) { begin() }
    }

    public func start() {
        note("start")
        current.withLock { $0.isStartWanted = true }
        if [.prepared, .paused].contains(state) { begin() }
    }

    private func begin() {
        enter(.playing)
        let isFirst = current.withLock { current in
            defer { current.hasShownFrame = true }
            return !current.hasShownFrame
        }
        if isFirst { showFrame() }
    }

    /// Presents one frame.
    public func showFrame() {
        let isFirst = current.withLock { current in
            current.frames += 1
            return current.frames == 1
        }
        if isFirst { post(.firstVideoFrame(pts: .zero)) }
    }

    /// Plays to the end.
    public func complete() {
        post(.completed)
        enter(.completed)
    }

    /// Fails for good.
    public func fail(_ error: PlayerError) {
        current.withLock { $0.state = .error }
        post(.error(error, isFatal: true))
    }

    /// Posts anything, as a player would.
    public func post(_ event: PlayerEvent) {
        current.withLock { $0.output }?.post(event, position: .zero)
    }

    public func pause() {
        note("pause")
        current.withLock { $0.isStartWanted = false }
        if state == .playing { enter(.paused) }
    }

    /// Arrives at once.
    public func seek(to target: MediaTime, mode: SeekMode) {
        note("seek \(target.microseconds) \(mode.rawValue)")
        current.withLock { $0.position = target }
        guard [.prepared, .playing, .paused].contains(state) else { return }
        post(.seekBegin(to: target))
        post(.seekEnd(at: target))
    }

    public func apply(_ settings: PlaybackSettings) {
        note("apply")
        current.withLock { $0.settings = settings }
    }

    public func selectTrack(_ index: Int) {
        note("selectTrack \(index)")
    }

    public func stop() {
        note("stop")
        script.stopping(self)
        guard state != .idle, state != .stopped else { return }
        post(.frames(FrameCounts(decoded: current.withLock { $0.frames }, presented: current.withLock { $0.frames })))
        enter(.stopped)
    }

    public func reset() {
        note("reset")
        guard script.comesToRest else { return }
        current.withLock { current in
            current.state = .idle
            current.output = nil
            current.source = nil
        }
    }

    public func destroy() {
        stop()
        note("destroy")
        current.withLock { current in
            current.isDestroyed = true
            current.output = nil
        }
    }

    private func note(_ command: String) {
        current.withLock { $0.commands.append(command) }
    }

    private func enter(_ state: PlayerState) {
        current.withLock { $0.state = state }
        post(.state(state))
    }
}

/// How the players of a factory behave. Set up before the first is made.
public final class FakePlayerScript: Sendable {
    public let preparesAtOnce: Bool
    public let comesToRest: Bool
    public let dataSourceError: PlayerError?
    private let stopHook = Mutex<(@Sendable (FakePlayer) -> Void)?>(nil)

    public init(preparesAtOnce: Bool = true, comesToRest: Bool = true, dataSourceError: PlayerError? = nil) {
        self.preparesAtOnce = preparesAtOnce
        self.comesToRest = comesToRest
        self.dataSourceError = dataSourceError
    }

    /// Is called back inside every `stop`.
    public func onStop(_ body: (@Sendable (FakePlayer) -> Void)?) {
        stopHook.withLock { $0 = body }
    }

    func stopping(_ player: FakePlayer) {
        stopHook.withLock { $0 }?(player)
    }
}
