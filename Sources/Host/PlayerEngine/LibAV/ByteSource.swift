// SPDX-License-Identifier: Apache-2.0

/// Bytes that a demuxer reads.
///
/// Thread: the demux thread.
protocol ByteSource: AnyObject {
    /// Bytes there are now; nil if that is not known.
    var size: Int64? { get }
    /// Whether it can be read from anywhere, rather than once from its beginning.
    var isSeekable: Bool { get }
    /// Bytes given so far, those given again included.
    var bytesRead: Int64 { get }

    /// Waits for bytes.
    ///
    /// - Parameter offset: where the one before ended, unless it is seekable.
    /// - Returns: how many it gave, or the status of a failure; the end is `AVStatus.endOfFile`.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int32
}
