// SPDX-License-Identifier: Apache-2.0

internal import CLibAV

/// What libav opens besides the source itself: what a playlist names. What is behind HTTP is read as the source itself is, tried again
/// and resumed; libav would leave out what it could not read and go on as if nothing had been there.
///
/// A playlist that leads to itself would be followed for ever, without a look at the interrupt where it is a file; so the interrupt is
/// asked each time, and opening a source opens a bounded number.
///
/// Thread: the demux thread.
@safe final class NestedInputs {
    private typealias Open =
        @convention(c) (
            UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
            UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32
    private typealias Close =
        @convention(c) (UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<AVIOContext>?) -> Int32

    private let interrupt: Interrupt
    private let client: HTTPClient?
    /// Microseconds that one network operation may take.
    private let timeout: Int64
    /// How long a playlist may bring nothing new; nil where the source is none.
    private var patience: Patience?
    /// The time that libav has is for waiting, not for what it does on the network by itself.
    private var isWaiting = true
    private var libavOpen: Open?
    private var libavClose: Close?
    private var streams: [UnsafeMutableRawPointer: ByteStream] = unsafe [:]
    /// How many libav reads by itself.
    private var foreignCount = 0
    private var lastFailure: NetworkFailure?
    /// Why libav could not open something by itself; nil if it could.
    private(set) var missing: AVStatus?
    /// Nil once the source is open: from then on as much is opened as is played.
    private var left: Int? = NestedInputs.limit

    private static let limit = 1000

    /// - Parameters:
    ///   - client: what asks servers; nil where nothing may.
    ///   - timeout: microseconds that one network operation may take.
    init(interrupt: Interrupt, client: HTTPClient?, timeout: Int64) {
        self.interrupt = interrupt
        self.client = client
        self.timeout = timeout
    }

    /// Why something of what is played was not read; nil if nothing was missing.
    var failure: NetworkFailure? {
        unsafe lastFailure ?? streams.values.lazy.compactMap(\.networkFailure).first
    }

    /// Has libav open and close by this object, which the caller keeps alive for as long as libav has the context.
    func watch(_ context: UnsafeMutablePointer<AVFormatContext>) {
        unsafe libavOpen = context.pointee.io_open
        unsafe libavClose = context.pointee.io_close2
        unsafe context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        unsafe context.pointee.io_open = { context, input, url, flags, options in
            guard let nested = unsafe NestedInputs.of(context) else { return AVStatus.invalidData.rawValue }
            if let refusal = nested.refusal() { return refusal.rawValue }
            if let client = nested.client, let input = unsafe input, let url = unsafe url {
                let address = unsafe String(cString: url)
                if MediaLocation.isRemote(address) {
                    return unsafe nested.open(address, with: client, options: options, into: input).rawValue
                }
                // What is encrypted libav asks for by itself, and trusts any server unless it is told not to.
                nested.allowOperation(isForeign: true)
                if let options = unsafe options {
                    unsafe av_dict_set_int(options, "tls_verify", 1, 0)
                    unsafe av_dict_set(options, "headers", client.settings.headerText(for: address), 0)
                }
            }
            let status = AVStatus(
                rawValue: unsafe nested.libavOpen?(context, input, url, flags, options)
                    ?? AVStatus.invalidData.rawValue)
            if status.isFailure {
                if !nested.interrupt.isRecalled { nested.missing = status }
            } else {
                nested.foreignCount += 1
                if let opened = unsafe input?.pointee { unsafe _ = nested.notice(opened) }
            }
            return status.rawValue
        }
        unsafe context.pointee.io_close2 = { context, input in
            guard let nested = unsafe NestedInputs.of(context), let input = unsafe input else { return 0 }
            if let stream = unsafe nested.streams.removeValue(forKey: UnsafeMutableRawPointer(input)) {
                nested.lastFailure = nested.lastFailure ?? stream.networkFailure
                return 0
            }
            nested.foreignCount -= 1
            // A playlist of this machine that was read once more is nothing new.
            if nested.client != nil { nested.allowOperation() }
            return unsafe nested.libavClose?(context, input) ?? 0
        }
    }

    /// Starts the time for what libav does on the network by itself anew. What it does through the client is timed there, and
    /// besides it only waits: for a live playlist to grow.
    ///
    /// - Parameter isForeign: whether libav is about to read by itself.
    func allowOperation(isForeign: Bool = false) {
        isWaiting = client == nil || !isForeign && foreignCount == 0
        interrupt.allow(microseconds: isWaiting ? patience?.microseconds : timeout)
    }

    /// The source is a playlist: libav may wait for it to grow, and no longer than it is worth.
    ///
    /// - Parameter playlist: at its beginning.
    func expectGrowth(of playlist: UnsafeMutablePointer<AVIOContext>) {
        var patience = Patience(timeout: timeout)
        unsafe _ = patience.look(at: playlist)
        self.patience = patience
        allowOperation()
    }

    /// Whether the source is an HLS playlist.
    var isPlaylist: Bool { patience != nil }

    /// Whether it was waited in vain for a playlist to grow.
    var isStale: Bool { isPlaylist && isWaiting && !interrupt.isBroken && interrupt.isTimedOut }

    /// The source is open; what could not be opened until now was not needed.
    func endOpening() {
        left = nil
        lastFailure = nil
        missing = nil
    }

    private static func of(_ context: UnsafeMutablePointer<AVFormatContext>?) -> NestedInputs? {
        guard let opaque = unsafe context?.pointee.opaque else { return nil }
        return unsafe Unmanaged<NestedInputs>.fromOpaque(opaque).takeUnretainedValue()
    }

    private func open(
        _ url: String, with client: HTTPClient, options: UnsafeMutablePointer<OpaquePointer?>?,
        into input: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>
    ) -> AVStatus {
        let (start, end) = unsafe (number("offset", in: options) ?? 0, number("end_offset", in: options) ?? .max)
        guard start >= 0, end >= start else { return .invalidData }
        do {
            let file = try RemoteFile(url, window: start..<end, client: client)
            let stream = try ByteStream(file, location: file.effectiveURL)
            unsafe streams[UnsafeMutableRawPointer(stream.context)] = stream
            if unsafe notice(stream.context) { stream.onRead = { [unowned self] in allowOperation() } }
            unsafe input.pointee = stream.context
            return AVStatus(rawValue: 0)
        } catch let failure as NetworkFailure {
            if !interrupt.isRecalled { lastFailure = failure }
            return failure.status
        } catch {
            return .outOfMemory
        }
    }

    /// - Returns: whether what was opened is something new to play, and not a playlist once more.
    private func notice(_ input: UnsafeMutablePointer<AVIOContext>) -> Bool {
        guard var patience else { return false }
        let isPlaylist = unsafe patience.look(at: input)
        self.patience = patience
        if !isPlaylist { allowOperation() }
        return !isPlaylist
    }

    private func number(_ name: String, in options: UnsafeMutablePointer<OpaquePointer?>?) -> Int64? {
        guard let entry = unsafe av_dict_get(options?.pointee, name, nil, 0) else { return nil }
        return unsafe Int64(String(cString: entry.pointee.value))
    }

    /// Why nothing more is opened; nil if it may be.
    private func refusal() -> AVStatus? {
        if interrupt.mustEnd { return .exit }
        // Once something is missing nothing after it is played.
        guard let count = left else { return failure?.status ?? missing }
        left = count - 1
        return count > 0 ? nil : .invalidData
    }
}

extension ByteStream {
    fileprivate var networkFailure: NetworkFailure? { (source as? RemoteFile)?.failure }
}
