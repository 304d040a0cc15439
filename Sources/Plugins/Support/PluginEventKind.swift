// SPDX-License-Identifier: Apache-2.0

internal import PluginABI

/// What happened: a `KIT_EVENT_*` number. An open set; ignore what you do not know.
public struct PluginEventKind: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private init(_ number: Int) {
        rawValue = UInt32(number)
    }

    public static let request = PluginEventKind(KIT_EVENT_REQUEST)
    public static let attach = PluginEventKind(KIT_EVENT_ATTACH)
    public static let detach = PluginEventKind(KIT_EVENT_DETACH)
    public static let state = PluginEventKind(KIT_EVENT_STATE)
    public static let playIntent = PluginEventKind(KIT_EVENT_PLAY_INTENT)
    public static let pauseIntent = PluginEventKind(KIT_EVENT_PAUSE_INTENT)
    public static let opened = PluginEventKind(KIT_EVENT_OPENED)
    public static let streamInfo = PluginEventKind(KIT_EVENT_STREAM_INFO)
    public static let firstPacket = PluginEventKind(KIT_EVENT_FIRST_PACKET)
    public static let firstDecoded = PluginEventKind(KIT_EVENT_FIRST_DECODED)
    public static let prepared = PluginEventKind(KIT_EVENT_PREPARED)
    public static let firstVideoFrame = PluginEventKind(KIT_EVENT_FIRST_VIDEO_FRAME)
    public static let firstAudio = PluginEventKind(KIT_EVENT_FIRST_AUDIO)
    public static let position = PluginEventKind(KIT_EVENT_POSITION)
    public static let tick = PluginEventKind(KIT_EVENT_TICK)
    public static let loadingBegin = PluginEventKind(KIT_EVENT_LOADING_BEGIN)
    public static let loadingEnd = PluginEventKind(KIT_EVENT_LOADING_END)
    public static let loadingProgress = PluginEventKind(KIT_EVENT_LOADING_PROGRESS)
    public static let demuxUnderrun = PluginEventKind(KIT_EVENT_DEMUX_UNDERRUN)
    public static let outputUnderrun = PluginEventKind(KIT_EVENT_OUTPUT_UNDERRUN)
    public static let demuxEOF = PluginEventKind(KIT_EVENT_DEMUX_EOF)
    public static let decoderSlow = PluginEventKind(KIT_EVENT_DECODER_SLOW)
    public static let decoderFallback = PluginEventKind(KIT_EVENT_DECODER_FALLBACK)
    public static let seekBegin = PluginEventKind(KIT_EVENT_SEEK_BEGIN)
    public static let seekEnd = PluginEventKind(KIT_EVENT_SEEK_END)
    public static let seekSuperseded = PluginEventKind(KIT_EVENT_SEEK_SUPERSEDED)
    public static let seekFailed = PluginEventKind(KIT_EVENT_SEEK_FAILED)
    public static let rate = PluginEventKind(KIT_EVENT_RATE)
    public static let loop = PluginEventKind(KIT_EVENT_LOOP)
    public static let mute = PluginEventKind(KIT_EVENT_MUTE)
    public static let display = PluginEventKind(KIT_EVENT_DISPLAY)
    public static let rendition = PluginEventKind(KIT_EVENT_RENDITION)
    public static let videoSize = PluginEventKind(KIT_EVENT_VIDEO_SIZE)
    public static let trackReady = PluginEventKind(KIT_EVENT_TRACK_READY)
    public static let trackChanged = PluginEventKind(KIT_EVENT_TRACK_CHANGED)
    public static let frames = PluginEventKind(KIT_EVENT_FRAMES)
    public static let bytes = PluginEventKind(KIT_EVENT_BYTES)
    public static let retry = PluginEventKind(KIT_EVENT_RETRY)
    public static let network = PluginEventKind(KIT_EVENT_NETWORK)
    public static let foreground = PluginEventKind(KIT_EVENT_FOREGROUND)
    public static let background = PluginEventKind(KIT_EVENT_BACKGROUND)
    public static let suspended = PluginEventKind(KIT_EVENT_SUSPENDED)
    public static let suppressed = PluginEventKind(KIT_EVENT_SUPPRESSED)
    public static let error = PluginEventKind(KIT_EVENT_ERROR)
    public static let completed = PluginEventKind(KIT_EVENT_COMPLETED)
    public static let stop = PluginEventKind(KIT_EVENT_STOP)
    public static let sourceSwitch = PluginEventKind(KIT_EVENT_SOURCE_SWITCH)
    public static let evict = PluginEventKind(KIT_EVENT_EVICT)
    public static let takenOver = PluginEventKind(KIT_EVENT_TAKEN_OVER)
    public static let destroy = PluginEventKind(KIT_EVENT_DESTROY)
    public static let actionRequested = PluginEventKind(KIT_EVENT_ACTION_REQUESTED)
    public static let actionDone = PluginEventKind(KIT_EVENT_ACTION_DONE)
    public static let sessionState = PluginEventKind(KIT_EVENT_SESSION_STATE)
    public static let frameRate = PluginEventKind(KIT_EVENT_FRAME_RATE)
    public static let loopGap = PluginEventKind(KIT_EVENT_LOOP_GAP)
}
