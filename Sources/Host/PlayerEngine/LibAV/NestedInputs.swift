// SPDX-License-Identifier: Apache-2.0

internal import CLibAV

/// What libav opens besides the source itself: what a playlist names. One that leads to itself would be followed for ever, without a
/// look at the interrupt where it is a file; so the interrupt is asked each time, and opening a source opens a bounded number.
///
/// Thread: the demux thread.
@safe final class NestedInputs {
    private typealias Open =
        @convention(c) (
            UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
            UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32

    private let interrupt: Interrupt
    private let settings: HTTPSettings?
    private var libavOpen: Open?
    /// Nil once the source is open: from then on as much is opened as is played.
    private var left: Int? = NestedInputs.limit

    private static let limit = 1000

    /// - Parameter settings: of what is asked of servers; nil where nothing is.
    init(interrupt: Interrupt, settings: HTTPSettings?) {
        self.interrupt = interrupt
        self.settings = settings
    }

    /// Has libav ask before it opens anything; the caller keeps this object alive for as long as libav has the context.
    func watch(_ context: UnsafeMutablePointer<AVFormatContext>) {
        unsafe libavOpen = context.pointee.io_open
        unsafe context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        unsafe context.pointee.io_open = { context, input, url, flags, options in
            guard let context = unsafe context, let opaque = unsafe context.pointee.opaque else {
                return AVStatus.invalidData.rawValue
            }
            let nested = unsafe Unmanaged<NestedInputs>.fromOpaque(opaque).takeUnretainedValue()
            if let refusal = nested.refusal() { return refusal.rawValue }
            if let options = unsafe options { unsafe nested.apply(to: options) }
            return unsafe nested.libavOpen?(context, input, url, flags, options) ?? AVStatus.invalidData.rawValue
        }
    }

    /// The source is open.
    func endOpening() {
        left = nil
    }

    /// Has libav's own protocols ask as the player does.
    private func apply(to options: UnsafeMutablePointer<OpaquePointer?>) {
        guard let settings else { return }
        interrupt.allow(microseconds: settings.timeout)
        unsafe av_dict_set(options, "user_agent", settings.userAgent, 0)
        if let referer = settings.referer { unsafe av_dict_set(options, "referer", referer, 0) }
        if !settings.headerLines.isEmpty {
            unsafe av_dict_set(options, "headers", settings.headerLines.map { $0 + "\r\n" }.joined(), 0)
        }
        unsafe av_dict_set_int(options, "rw_timeout", settings.timeout, 0)
        // libav trusts any server unless it is told not to.
        unsafe av_dict_set_int(options, "tls_verify", 1, 0)
    }

    /// Why nothing more is opened; nil if it may be.
    private func refusal() -> AVStatus? {
        if interrupt.mustEnd { return .exit }
        guard let count = left else { return nil }
        left = count - 1
        return count > 0 ? nil : .invalidData
    }
}
