// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The writing end of a named pipe.
// Unchecked: one thread at a time writes.
package final class PipeWriter: @unchecked Sendable {
    package let path: String
    private var descriptor: Int32 = -1

    package init(_ path: String) throws {
        self.path = path
        // A reader that goes away ends a write, not the tests.
        signal(SIGPIPE, SIG_IGN)
        let status = unsafe mkfifo(path, 0o600)
        try #require(status == 0)
    }

    deinit {
        close()
    }

    /// Waits for a reader.
    package func open() {
        descriptor = unsafe Foundation.open(path, O_WRONLY | O_CLOEXEC)
    }

    package func write(_ bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    package func close() {
        if descriptor >= 0 { _ = Foundation.close(descriptor) }
        descriptor = -1
    }
}
