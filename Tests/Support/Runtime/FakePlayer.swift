// SPDX-License-Identifier: Apache-2.0

public import MediaCore
import Synchronization

/// A player without media that keeps to the contract of `MediaPlayer`: it prepares, shows its first frame and arrives at the target of
/// a seek at once unless its script says otherwise, and goes on only when a test says so.
public final class FakePlayer: MediaPlayer {
    /// What a player may forget to reset.
    public enum Part: CaseIterable, Sendable {
        case source, session, position, duration, buffered, tracks, wish, rate, loop, mute, volume
    }

    private struct State {
        var state = PlayerState.idle
        /// Not reset.
        var left: Set<Part> = []
        var output: EventOutput?
        var model: PlayerModel?
        var isStartWanted = false
        var hasShownFrame = false
        var isPreviewWanted = false
        var frames: Int64 = 0
        var loops: Int64 = 0
        var commands: [String] = []
        var settings = PlaybackSettings()
        /// What the events of this session have told of the settings.
        var told = PlaybackSettings()
        var position = MediaTime.zero
        var seekTarget: MediaTime?
        var isDestroyed = false

        var isActive: Bool { [.preparing, .prepared, .playing, .paused].contains(state) }
    }

    /// What every source of a fake player holds.
    public static let tracks = [
        video(0, height: 720, bitrate: 2_000_000), audio(1, "eng"), audio(2, "ger"),
        TrackInfo(index: 3, kind: .subtitle, codec: "fake"), video(4, height: 360, bitrate: 500_000),
    ]

    private static func video(_ index: Int, height: Int, bitrate: Int64) -> TrackInfo {
        var track = TrackInfo(index: index, kind: .video, codec: "fake")
        track.height = height
        track.bitrate = bitrate
        return track
    }

    private static func audio(_ index: Int, _ language: String) -> TrackInfo {
        var track = TrackInfo(index: index, kind: .audio, codec: "fake")
        track.language = language
        return track
    }

    /// How long every source is.
    public static let length = MediaTime(microseconds: 5_000_000)

    public let playerID: Int64
    private let current = Mutex(State())
    private let script: FakePlayerScript

    init(playerID: Int64, script: FakePlayerScript) {
        self.playerID = playerID
        self.script = script
    }

    public var state: PlayerState {
        script.asking()
        return current.withLock { $0.state }
    }
    public var currentPosition: MediaTime { current.withLock { $0.position } }
    public var duration: MediaTime? { isPrepared || hasLeft(.duration) ? FakePlayer.length : nil }
    /// Everything has been read once it is prepared.
    public var bufferedPosition: MediaTime? { isPrepared || hasLeft(.buffered) ? FakePlayer.length : nil }
    public var tracks: [TrackInfo] { isPrepared || hasLeft(.tracks) ? FakePlayer.tracks : [] }
    public var settings: PlaybackSettings { current.withLock { $0.settings } }
    public var wantsPlay: Bool { current.withLock { ($0.isActive || $0.left.contains(.wish)) && $0.isStartWanted } }
    public var session: SessionID? { current.withLock { $0.output?.session } }
    /// The commands so far, in their order.
    public var commands: [String] { current.withLock { $0.commands } }
    public var isDestroyed: Bool { current.withLock { $0.isDestroyed } }
    public var model: PlayerModel? { current.withLock { $0.model } }
    public var source: VideoSource? { model?.videoSource }

    private func hasLeft(_ part: Part) -> Bool { current.withLock { $0.left.contains(part) } }

    private var isPrepared: Bool {
        switch current.withLock({ $0.state }) {
        case .prepared, .playing, .paused, .completed: true
        case .idle, .preparing, .stopped, .error: false
        }
    }

    // MARK: Commands

    public func setDataSource(_ model: PlayerModel, output: EventOutput) throws(PlayerError) {
        if let error = script.dataSourceError { throw error }
        let isTaken = current.withLock { current in
            current.commands.append("setDataSource")
            guard !current.isActive, !current.isDestroyed else { return false }
            current.model = model
            current.output = output
            current.hasShownFrame = false
            current.isPreviewWanted = false
            current.frames = 0
            current.loops = 0
            current.told = PlaybackSettings()
            current.left = []
            current.isStartWanted = false
            current.seekTarget = nil
            current.position = .zero
            return true
        }
        guard isTaken else { throw PlayerError(.illegalState, "the fake player is busy") }
    }

    public func prepare() {
        note("prepare")
        guard current.withLock({ !$0.isActive && $0.output != nil }) else { return }
        enter(.preparing)
        guard script.preparesAtOnce else { return }
        finishPreparing()
    }

    public func start() {
        note("start")
        let begins = current.withLock { current in
            guard current.isActive else { return false }
            current.isStartWanted = true
            return current.state != .preparing
        }
        if begins { begin() }
    }

    public func preview() {
        note("preview")
        let isNew = current.withLock { current in
            defer { current.isPreviewWanted = true }
            return !current.isPreviewWanted
        }
        if isNew, state == .prepared { post(.firstVideoFrame(pts: .zero, isPreview: true)) }
    }

    public func attach(to output: EventOutput, farewell: PlayerEvent) -> Bool {
        note("attach")
        guard current.withLock({ $0.isActive }) else { return false }
        postFrames()
        let (former, showsPicture) = current.withLock { current in
            defer {
                current.output = output
                current.frames = 0
                current.told = PlaybackSettings()
            }
            return (current.output, current.hasShownFrame || current.isPreviewWanted)
        }
        former?.post(farewell)
        if state != .preparing {
            tellPrepared()
            post(.state(state))
            if showsPicture {
                current.withLock { $0.hasShownFrame = true }
                post(.firstVideoFrame(pts: .zero))
            }
        } else {
            post(.state(.preparing))
        }
        return true
    }

    public func pause() {
        note("pause")
        current.withLock { $0.isStartWanted = false }
        if state == .playing { enter(.paused) }
    }

    public func seek(to target: MediaTime, mode: SeekMode) {
        note("seek \(target.microseconds) \(mode.rawValue)")
        let (isActive, former) = current.withLock { current in
            guard current.isActive else { return (false, MediaTime?.none) }
            defer { current.seekTarget = target }
            return (true, current.seekTarget)
        }
        guard isActive else { return }
        if former != nil { post(.seekSuperseded) }
        post(.seekBegin(to: target))
        if state != .preparing, script.arrivesAtOnce { arrive() }
    }

    public func apply(_ settings: PlaybackSettings) {
        note("apply")
        let told = current.withLock { current in
            defer { current.told = settings }
            current.settings = settings
            return current.told
        }
        if settings.rate != told.rate { post(.rate(settings.rate)) }
        if settings.isMuted != told.isMuted || settings.volume != told.volume {
            post(.mute(settings.isMuted, volume: settings.volume))
        }
    }

    public func selectTrack(_ index: Int) {
        note("selectTrack \(index)")
        guard isPrepared, let track = FakePlayer.tracks.first(where: { $0.index == index }) else { return }
        post(.trackChanged(track))
        if track.kind == .video { post(.rendition(track)) }
    }

    public func stop() {
        note("stop")
        script.stopping(self)
        guard state != .idle, state != .stopped else { return }
        if current.withLock({ $0.isActive }) { postFrames() }
        enter(.stopped)
    }

    public func reset() {
        note("reset")
        guard script.comesToRest else { return }
        current.withLock { current in
            current.state = .idle
            let left = script.leaves
            current.left = left
            if !left.contains(.session) { current.output = nil }
            if !left.contains(.source) { current.model = nil }
            if !left.contains(.position) { current.position = .zero }
            let former = current.settings
            current.settings = PlaybackSettings()
            if left.contains(.rate) { current.settings.set(rate: former.rate) }
            if left.contains(.loop) { current.settings.loop = former.loop }
            if left.contains(.mute) { current.settings.isMuted = former.isMuted }
            if left.contains(.volume) { current.settings.set(volume: former.volume) }
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

    // MARK: What a test makes it do

    /// Becomes prepared, and plays if it was told to.
    public func finishPreparing() {
        tellPrepared()
        enter(.prepared)
        if current.withLock({ $0.isPreviewWanted }) { post(.firstVideoFrame(pts: .zero, isPreview: true)) }
        if script.arrivesAtOnce { arrive() }
        if current.withLock({ $0.isStartWanted }) { begin() }
    }

    private func tellPrepared() {
        post(.trackReady(FakePlayer.tracks))
        post(.prepared(MediaDescription(container: "fake", duration: FakePlayer.length, isSeekable: true)))
        post(.rendition(FakePlayer.tracks[0]))
    }

    /// Presents one frame.
    public func showFrame() {
        let isFirst = current.withLock { current in
            current.frames += 1
            return current.frames == 1
        }
        if isFirst { post(.firstVideoFrame(pts: .zero)) }
    }

    /// Arrives at the target of the seek that is under way, if one is.
    public func arrive() {
        let target = current.withLock { current in
            defer { current.seekTarget = nil }
            if let target = current.seekTarget { current.position = min(target, FakePlayer.length) }
            return current.seekTarget.map { min($0, FakePlayer.length) }
        }
        if let target { post(.seekEnd(at: target)) }
    }

    /// Plays to the end, and from the beginning again if its settings say so.
    public func complete() {
        let wrap = current.withLock { current -> Int64? in
            switch current.settings.loop {
            case .off: return nil
            case .times(let count) where current.loops >= count: return nil
            case .times, .forever: break
            }
            current.loops += 1
            current.position = .zero
            return current.loops
        }
        if let wrap { return post(.loop(count: wrap)) }
        post(.completed)
        enter(.completed)
    }

    /// Plays to where its model says to end.
    public func end(_ reason: StopReason) {
        postFrames()
        post(.stop(reason))
        enter(.stopped)
    }

    /// Fails for good.
    public func fail(_ error: PlayerError) {
        current.withLock { $0.state = .error }
        post(.error(error, isFatal: true))
    }

    /// Posts anything, as a player would.
    public func post(_ event: PlayerEvent) {
        let (output, position) = current.withLock { ($0.output, $0.position) }
        output?.post(event, position: position)
    }

    private func begin() {
        enter(.playing)
        let isFirst = current.withLock { current in
            defer { current.hasShownFrame = true }
            return !current.hasShownFrame
        }
        if isFirst { showFrame() }
    }

    private func postFrames() {
        let frames = current.withLock { $0.frames }
        post(.frames(FrameCounts(decoded: frames, presented: frames)))
    }

    private func note(_ command: String) {
        current.withLock { $0.commands.append(command) }
    }

    private func enter(_ state: PlayerState) {
        let isNew = current.withLock { current in
            defer { current.state = state }
            return current.state != state
        }
        if isNew { post(.state(state)) }
    }
}
