// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Writing to the process's standard streams: results to stdout, everything else to stderr.
enum StandardStreams {
    static let output: Int32 = 1
    static let error: Int32 = 2

    /// Takes the numbers of the standard streams that the caller has closed, so that no file opened later gets one and is written to
    /// or read by mistake. What takes them is open the wrong way round: using the stream fails as it would have.
    ///
    /// Thread: the only one.
    static func holdPlaces() {
        for (number, mode) in [(Int32(0), O_WRONLY), (output, O_RDONLY), (error, O_RDONLY)]
        where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = unsafe open("/dev/null", mode)
        }
    }

    /// Writes the whole text; a reader that went away is no error (as with any command in a pipe).
    ///
    /// - Returns: false if the stream took no more.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32 = output) -> Bool {
        write(Array(text.utf8), to: descriptor)
    }

    /// Writes all bytes; `errno` says why it did not.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// A line for people on stderr.
    static func complain(_ text: String) {
        write("kitshell: \(text)\n", to: error)
    }
}
