// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// An open source: libav's demuxer over a local file or over libav's own network protocols.
///
/// Thread: the demux thread.
@safe final class MediaInput {
    let context: UnsafeMutablePointer<AVFormatContext>
    let location: MediaLocation
    private let interrupt: Interrupt
    private let file: LocalFile?
    private let nested: NestedInputs

    /// The longest that one network operation may take.
    private static let networkMilliseconds: Int64 = 15_000
    /// How much is looked at where the header does not tell what the tracks are.
    private static let probeBytes: Int64 = 2 << 20
    private static let probeMicroseconds: Int64 = 2_000_000

    /// Opens the source and reads its header.
    init(_ location: MediaLocation, interrupt: Interrupt) throws(OpenFailure) {
        self.location = location
        self.interrupt = interrupt
        nested = NestedInputs(interrupt: interrupt)
        av_log_set_level(AV_LOG_QUIET)
        switch location {
        case .remote: file = nil
        case .standardInput, .file:
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
        unsafe context = try MediaInput.open(location, file: file, nested: nested, interrupt: interrupt)
    }

    deinit {
        var freed: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe avformat_close_input(&freed)
        withExtendedLifetime((file, nested, interrupt)) {}
    }

    private static func open(
        _ location: MediaLocation, file: LocalFile?, nested: NestedInputs, interrupt: Interrupt
    ) throws(OpenFailure) -> UnsafeMutablePointer<AVFormatContext> {
        var failure = OpenFailure(status: .outOfMemory)
        guard let context = unsafe avformat_alloc_context() else { throw failure }
        var opened: UnsafeMutablePointer<AVFormatContext>? = unsafe context
        unsafe context.pointee.interrupt_callback = interrupt.makeCallback()
        unsafe nested.watch(context)
        unsafe context.pointee.probesize = probeBytes
        unsafe context.pointee.max_analyze_duration = probeMicroseconds
        var options: OpaquePointer?
        unsafe av_dict_set(&options, "protocol_whitelist", location.allowedProtocols, 0)
        defer { unsafe av_dict_free(&options) }
        var format: UnsafePointer<AVInputFormat>?
        do throws(AVStatus) {
            if let file {
                unsafe context.pointee.pb = try file.makeContext()
                let score = unsafe av_probe_input_buffer2(context.pointee.pb, &format, location.url, nil, 0, 0)
                try AVStatus.check(score)
                // Text of any kind that is called .txt, .nfo or .diz passes for a recorded terminal.
                guard unsafe !(String(cString: format!.pointee.name) == "tty") else { throw .invalidData }
                failure.isRecognised = score > AVPROBE_SCORE_RETRY
            }
            interrupt.allow(milliseconds: networkMilliseconds)
            try AVStatus.check(unsafe avformat_open_input(&opened, location.url, format, &options))
            nested.endOpening()
            return unsafe context
        } catch {
            // A failed avformat_open_input has freed it and left nil; the bytes are not the context's to close.
            unsafe avformat_free_context(opened)
            failure.status = error
            failure.isCutOff = file?.isCutOff ?? false
            failure.isEmpty = file.map { $0.bytesRead == 0 } ?? false
            failure.isTimedOut = !interrupt.isCancelled && interrupt.isTimedOut
            throw failure
        }
    }

    /// Finds out what the tracks are; reads on only where the header did not tell enough.
    func findTracks() throws(OpenFailure) {
        guard !headerSuffices else { return }
        interrupt.allow(milliseconds: MediaInput.networkMilliseconds)
        let status = AVStatus(rawValue: unsafe avformat_find_stream_info(context, nil))
        guard !status.isFailure else {
            throw OpenFailure(
                status: status, isRecognised: true, isCutOff: isCutOff,
                isTimedOut: !interrupt.isCancelled && interrupt.isTimedOut)
        }
    }

    /// Starts the time for one network operation anew.
    func allowNextOperation() {
        interrupt.allow(milliseconds: MediaInput.networkMilliseconds)
    }

    /// Reads the next packet into an empty shell.
    func read(into packet: borrowing Packet) -> AVStatus {
        allowNextOperation()
        return unsafe packet.withUnsafePointer { AVStatus(rawValue: unsafe av_read_frame(context, $0)) }
    }

    /// What ended the reading besides the end itself; nil if nothing did.
    var readFailure: AVStatus? {
        guard let stream = unsafe context.pointee.pb, unsafe stream.pointee.error < 0 else { return nil }
        let status = AVStatus(rawValue: unsafe stream.pointee.error)
        return status == .endOfFile ? nil : status
    }

    /// Whether the container says that there is more than there is; false where that cannot be seen.
    var isCutOff: Bool { file?.isCutOff ?? false }

    /// Bytes read so far; nil where libav reads from several places.
    var bytesRead: Int64? {
        if let file { return file.bytesRead }
        guard let stream = unsafe context.pointee.pb else { return nil }
        return unsafe stream.pointee.bytes_read
    }

    /// Whether the source is a file rather than a pipe, a device or a server.
    var isRegularFile: Bool { file?.size != nil }

    var trackCount: Int { Int(unsafe context.pointee.nb_streams) }
}
