// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// An open source: libav's demuxer over a local file or over libav's own network protocols.
///
/// Thread: the demux thread.
@safe final class MediaInput {
    let context: UnsafeMutablePointer<AVFormatContext>
    let location: MediaLocation
    /// The container's short name.
    let containerName: String
    private let interrupt: Interrupt
    private let file: LocalFile?
    private let remote: RemoteFile?
    private let client: HTTPClient?
    private let stream: ByteStream
    private let nested: NestedInputs
    /// Where on the container's own timeline media time is zero, in microseconds: time stamps that may jump, and those of playlists,
    /// begin anywhere.
    private(set) var origin: Int64 = 0

    /// How much is looked at where the header does not tell what the tracks are.
    private static let probeBytes: Int64 = 2 << 20
    private static let probeMicroseconds: Int64 = 2_000_000

    /// Opens the source and reads its header.
    ///
    /// - Parameters:
    ///   - connections: those to use for a network source; made if there are none.
    ///   - retries: asked before a network source is tried again; kept for as long as the source is read.
    init(
        _ location: MediaLocation, configuration: PlayerConfiguration, connections: inout Connections?,
        interrupt: Interrupt, retries: Retries
    ) throws(OpenFailure) {
        self.location = location
        self.interrupt = interrupt
        av_log_set_level(AV_LOG_QUIET)
        switch location {
        case .remote(let address):
            let settings: HTTPSettings
            do throws(PlayerError) { settings = try HTTPSettings(configuration, for: address) } catch {
                throw OpenFailure(error)
            }
            file = nil
            do throws(NetworkFailure) {
                let used = if let connections { connections } else { try Connections() }
                connections = used
                let made = try HTTPClient(settings, connections: used, interrupt: interrupt, retries: retries)
                client = made
                remote = try RemoteFile(address, client: made)
            } catch {
                throw OpenFailure(error)
            }
        case .standardInput, .file:
            remote = nil
            client = nil
            do throws(AVStatus) {
                if case .file(let path) = location {
                    file = try LocalFile(path: path, interrupt: interrupt)
                } else {
                    file = try LocalFile(path: nil, interrupt: interrupt)
                }
            } catch {
                throw OpenFailure(status: error)
            }
        }
        let source: any ByteSource
        if let remote {
            source = remote
        } else if let file {
            source = file
        } else {
            throw OpenFailure(status: .invalidData)
        }
        nested = NestedInputs(
            interrupt: interrupt, client: client, timeout: configuration.effective.networkTimeout.wholeMicroseconds)
        do throws(AVStatus) {
            // What a playlist names is found from where the playlist came from in the end.
            stream = try ByteStream(source, location: remote?.effectiveURL, settings: client?.settings)
        } catch {
            throw OpenFailure(status: error)
        }
        var failure = OpenFailure(status: .outOfMemory)
        do throws(AVStatus) {
            unsafe context = try MediaInput.open(
                location.url, stream: stream, nested: nested, protocols: location.allowedProtocols,
                interrupt: interrupt,
                isRecognised: &failure.isRecognised)
        } catch {
            failure.status = error
            failure.isCutOff = stream.wasSoughtPastEnd || file?.isCutOff ?? false
            failure.isEmpty = source.bytesRead == 0
            failure.network = remote?.failure ?? nested.failure
            failure.isPlaylist = nested.isPlaylist
            failure.isStale = nested.isStale
            failure.isTimedOut = !interrupt.isCancelled && interrupt.isTimedOut
            throw failure
        }
        unsafe containerName = context.pointee.iformat.map { unsafe String(cString: $0.pointee.name) } ?? ""
    }

    deinit {
        var freed: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&freed)
        withExtendedLifetime((stream, nested, interrupt)) {}
    }

    private static func open(
        _ url: String, stream: ByteStream, nested: NestedInputs, protocols: String, interrupt: Interrupt,
        isRecognised: inout Bool
    ) throws(AVStatus) -> UnsafeMutablePointer<AVFormatContext> {
        guard let context = unsafe avformat_alloc_context() else { throw .outOfMemory }
        var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe context.pointee.interrupt_callback = interrupt.makeCallback()
        unsafe nested.watch(context)
        unsafe context.pointee.probesize = probeBytes
        unsafe context.pointee.max_analyze_duration = probeMicroseconds
        unsafe context.pointee.pb = stream.context
        var options: OpaquePointer?
        unsafe av_dict_set(&options, "protocol_whitelist", protocols, 0)
        defer { unsafe av_dict_free(&options) }
        do throws(AVStatus) {
            var format: UnsafePointer<AVInputFormat>?
            let score = unsafe av_probe_input_buffer2(stream.context, &format, url, nil, 0, 0)
            try AVStatus.check(score)
            // Text of any kind that is called .txt, .nfo or .diz passes for a recorded terminal.
            guard unsafe !(String(cString: format!.pointee.name) == "tty") else { throw .invalidData }
            isRecognised = score > AVPROBE_SCORE_RETRY
            switch unsafe String(cString: format!.pointee.name) {
            case "hls":
                // It would make further requests over connections that it takes for its own.
                unsafe av_dict_set(&options, "http_persistent", "0", 0)
                unsafe av_dict_set(&options, "http_multiple", "0", 0)
                // How long it waits for what is new is not counted in tries.
                unsafe av_dict_set_int(&options, "max_reload", Int64(Int32.max), 0)
                unsafe av_dict_set_int(&options, "m3u8_hold_counters", Int64(Int32.max), 0)
                unsafe nested.expectGrowth(of: stream.context)
            case "dash": nested.allowOperation(isForeign: true)
            default: break
            }
            try AVStatus.check(unsafe avformat_open_input(&opened, url, format, &options))
            nested.endOpening()
            return unsafe context
        } catch {
            // A failed avformat_open_input has freed it and left nil; the bytes are not the context's to close.
            unsafe avformat_free_context(opened)
            throw error
        }
    }

    /// Finds out what the tracks are and where they begin; reads on only where the header did not tell enough.
    func findTracks() throws(OpenFailure) {
        if !headerSuffices {
            allowNextOperation()
            let status = AVStatus(rawValue: unsafe avformat_find_stream_info(context, nil))
            guard !status.isFailure else {
                throw OpenFailure(
                    status: status, isRecognised: true, isCutOff: isCutOff,
                    isTimedOut: !interrupt.isCancelled && interrupt.isTimedOut, isStale: isStale,
                    network: networkFailure)
            }
        }
        let start = unsafe context.pointee.start_time
        if start != clibav_no_timestamp, mayJump || isPlaylist && start > 0 { origin = start }
    }

    /// Starts the time for the next network operation of libav's anew. What a local source takes is its user's business.
    func allowNextOperation() {
        nested.allowOperation(isForeign: containerName == "dash")
    }

    /// Reads the next packet into an empty shell.
    func read(into packet: borrowing Packet) -> AVStatus {
        allowNextOperation()
        return unsafe packet.withUnsafePointer { AVStatus(rawValue: unsafe av_read_frame(context, $0)) }
    }

    /// Forgets that reading has failed: what is read next is somewhere else, or is tried once more.
    func forgetFailure() {
        guard let stream = unsafe context.pointee.pb else { return }
        unsafe stream.pointee.error = 0
        unsafe stream.pointee.eof_reached = 0
    }

    /// What ended the reading besides the end itself; nil if nothing did.
    var readFailure: AVStatus? {
        if let failure = networkFailure?.status ?? nested.missing { return failure }
        if isStale { return .timedOut }
        guard let stream = unsafe context.pointee.pb, unsafe stream.pointee.error < 0 else { return nil }
        let status = AVStatus(rawValue: unsafe stream.pointee.error)
        return status == .endOfFile ? nil : status
    }

    /// Whether it is a live playlist that has not grown for as long as is waited for it.
    var isStale: Bool { nested.isStale }

    /// Whether the container says that there is more than there is; false where that cannot be seen.
    var isCutOff: Bool { stream.wasSoughtPastEnd || file?.isCutOff ?? false }

    /// Whether there is less now than there was when it was opened.
    var hasShrunk: Bool { file?.hasShrunk ?? false }

    /// Why the network gave no more; nil while it may.
    var networkFailure: NetworkFailure? { remote?.failure ?? nested.failure }

    /// What was read so far; nil where libav reads from several places by itself.
    var byteCounts: ByteCounts? {
        switch containerName {
        case "dash": nil
        case "hls": client?.byteCounts
        default: client?.byteCounts ?? file.map { ByteCounts(read: $0.bytesRead) }
        }
    }

    /// Whether the source is a file rather than a pipe, a device or a server.
    var isRegularFile: Bool { file?.isSeekable ?? false }

    var trackCount: Int { Int(unsafe context.pointee.nb_streams) }
}

extension HTTPClient {
    fileprivate var byteCounts: ByteCounts { ByteCounts(read: bytesRead, arrival: arrival) }
}
