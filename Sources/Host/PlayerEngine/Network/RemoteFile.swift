// SPDX-License-Identifier: Apache-2.0

internal import CLibAV
internal import MediaCore

/// A source behind HTTP as bytes that can be read from anywhere. A connection that breaks is made again where it broke, so what reads
/// does not notice.
///
/// Thread: the demux thread.
final class RemoteFile: ByteSource {
    private let url: String
    private let client: HTTPClient
    private let connection: HTTPConnection
    /// The part of the content that this file is.
    private let window: Range<Int64>
    /// Where the next request goes: to where the last one was redirected.
    private(set) var effectiveURL: String
    /// Of the whole content.
    private var contentSize: Int64?
    private(set) var isSeekable = false
    private var version: String?
    /// Where in the content the connection's next byte is; nil if nothing is under way.
    private var position: Int64?
    private(set) var bytesRead: Int64 = 0
    /// Why there is no more; nil while there may be.
    private(set) var failure: NetworkFailure?

    /// Bytes to be read and thrown away rather than asked for anew from behind them.
    private static let skipLimit: Int64 = 128 * 1024

    /// Waits for the head of the first answer.
    ///
    /// - Parameter window: the part of the content that is wanted.
    init(_ url: String, window: Range<Int64> = 0..<Int64.max, client: HTTPClient) throws(NetworkFailure) {
        self.url = url
        self.window = window
        self.client = client
        effectiveURL = url
        connection = try HTTPConnection(client)
        while true {
            do throws(NetworkFailure) {
                try begin(at: window.lowerBound)
                return
            } catch {
                guard error.mayPass, client.retries.isAllowed(after: error.summary) else { throw error }
            }
        }
    }

    var size: Int64? {
        if let contentSize { return max(0, min(contentSize, window.upperBound) - window.lowerBound) }
        return window.upperBound == .max ? nil : window.upperBound - window.lowerBound
    }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        failure = nil
        while true {
            do throws(NetworkFailure) {
                let left = size.map { $0 - offset } ?? .max
                guard left > 0 else { return AVStatus.endOfFile.rawValue }
                let room = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: buffer[..<Int(min(left, Int64(buffer.count)))])
                let count = unsafe try readOnce(at: window.lowerBound + offset, into: room)
                guard count > 0 else { return AVStatus.endOfFile.rawValue }
                bytesRead += Int64(count)
                client.give(count, isLast: Int64(count) == left)
                return Int32(count)
            } catch {
                stop()
                if error.mayPass, client.retries.isAllowed(after: error.summary) { continue }
                failure = client.interrupt.isRecalled ? nil : error
                return error.status.rawValue
            }
        }
    }

    private func readOnce(
        at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(NetworkFailure) -> Int {
        unsafe try align(to: offset, scratch: buffer)
        let count = unsafe try connection.read(into: buffer)
        position = offset + Int64(count)
        if count == 0, let contentSize, offset < contentSize { throw NetworkFailure(reason: .cutOff) }
        return count
    }

    /// Has the connection's next byte be the one at `offset`.
    private func align(to offset: Int64, scratch: UnsafeMutableRawBufferPointer) throws(NetworkFailure) {
        let canSkip = position.map { (0...(isSeekable ? RemoteFile.skipLimit : .max)).contains(offset - $0) } ?? false
        if !canSkip { try resume(at: offset) }
        while let place = position, place < offset {
            let part = Int(min(offset - place, Int64(scratch.count)))
            let count = unsafe try connection.read(into: UnsafeMutableRawBufferPointer(rebasing: scratch[..<part]))
            guard count > 0 else { throw NetworkFailure(reason: .cutOff) }
            position = place + Int64(count)
        }
    }

    private func resume(at offset: Int64) throws(NetworkFailure) {
        do throws(NetworkFailure) {
            try begin(at: offset)
        } catch {
            // Where it was redirected to may have been for one time only.
            guard case .status = error.reason, !error.mayPass, effectiveURL != url else { throw error }
            effectiveURL = url
            try begin(at: offset)
        }
    }

    /// Asks for the bytes from `offset` on; what comes may begin before it.
    private func begin(at offset: Int64) throws(NetworkFailure) {
        let isFirst = bytesRead == 0
        stop()
        let answer = try connection.request(effectiveURL, from: offset)
        guard answer.start == offset || answer.start == 0 else {
            throw NetworkFailure(reason: .badAnswer, cause: "bytes from \(answer.start) on, not from \(offset)")
        }
        if !isFirst {
            guard contentSize == answer.size || answer.size == nil && answer.start > 0,
                version == nil || answer.version == nil || version == answer.version
            else { throw NetworkFailure(reason: .changed) }
            guard offset == 0 || answer.start > 0 || contentSize != nil || version != nil else {
                throw NetworkFailure(reason: .notResumable)
            }
        } else {
            contentSize = answer.size
            version = answer.version
        }
        isSeekable = answer.acceptsRanges && contentSize != nil
        effectiveURL = answer.url
        position = answer.start
    }

    private func stop() {
        connection.end()
        position = nil
    }
}

extension NetworkFailure {
    /// What libav is told.
    var status: AVStatus {
        switch reason {
        case .cancelled: .exit
        case .timedOut: .timedOut
        default: .inputOutput
        }
    }
}
