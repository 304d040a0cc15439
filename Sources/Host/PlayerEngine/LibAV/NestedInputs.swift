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
    private var libavOpen: Open?
    /// Nil once the source is open: from then on as much is opened as is played.
    private var left: Int? = NestedInputs.limit

    private static let limit = 1000

    init(interrupt: Interrupt) {
        self.interrupt = interrupt
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
            return unsafe nested.libavOpen?(context, input, url, flags, options) ?? AVStatus.invalidData.rawValue
        }
    }

    /// The source is open.
    func endOpening() {
        left = nil
    }

    /// Why nothing more is opened; nil if it may be.
    private func refusal() -> AVStatus? {
        if interrupt.mustEnd { return .exit }
        guard let count = left else { return nil }
        left = count - 1
        return count > 0 ? nil : .invalidData
    }
}
