// SPDX-License-Identifier: Apache-2.0

/// The bytes of an answer that have come and have not been asked for.
///
/// Thread: the demux thread; libcurl calls on it.
final class HTTPBody {
    private var bytes: [UInt8] = []
    private var taken = 0
    /// What the transfer came to; nil while it is under way.
    var result: CurlStatus?
    /// Libcurl keeps back what comes until it is told to go on.
    var isPaused = false

    /// Bytes to hold at most, besides one piece of libcurl's.
    private static let limit = 1 << 20

    /// Bytes that have not been asked for.
    var count: Int { bytes.count - taken }
    var isEmpty: Bool { count == 0 }

    func clear() {
        bytes.removeAll(keepingCapacity: true)
        taken = 0
        isPaused = false
        result = nil
    }

    func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, bytes.count - taken)
        unsafe bytes.withUnsafeBytes {
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + count]))
        }
        taken += count
        if isEmpty {
            bytes.removeAll(keepingCapacity: true)
            taken = 0
        }
        return count
    }

    /// - Returns: false if they are to be given again later.
    func append(_ new: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count < HTTPBody.limit else {
            isPaused = true
            return false
        }
        unsafe bytes.append(contentsOf: new)
        return true
    }
}
