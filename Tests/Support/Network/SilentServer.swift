// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A listening socket of this machine that takes a connection when told to, and answers what it is told.
package final class SilentServer {
    package let port: UInt16
    private let listener: Int32
    private var connection: Int32 = -1

    package init() throws {
        let listener = try LoopbackListener()
        self.listener = listener.descriptor
        port = listener.port
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
