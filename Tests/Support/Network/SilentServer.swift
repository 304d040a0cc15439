// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A listening socket of this machine that takes a connection when told to, and answers what it is told.
package final class SilentServer {
    package let port: UInt16
    private let listener: Int32
    private var connection: Int32 = -1

    package init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 4) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(isBound)
    }

    deinit {
        if connection >= 0 { close(connection) }
        close(listener)
    }

    /// Waits for a connection and keeps it; answers once the request has begun to arrive.
    package func acceptOne(answering answer: String? = nil) {
        connection = accept(listener, nil, nil)
        guard let answer else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = unsafe recv(connection, &buffer, buffer.count, 0)
        _ = unsafe send(connection, answer, answer.utf8.count, 0)
    }
}
