// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// What drives transfers and keeps the connections of those that are over, so that the next request to the same server needs no new one.
///
/// Thread: one at a time.
@safe final class Connections: @unchecked Sendable {
    let curl: Curl
    let multi: UnsafeMutableRawPointer

    /// Connections that stay open when no transfer uses them.
    private static let idleLimit = 2

    /// - Throws: `local`, where libcurl is missing or cannot be set up.
    init() throws(NetworkFailure) {
        guard let curl = Curl.shared else {
            throw NetworkFailure(reason: .local, cause: "libcurl 4 is not installed")
        }
        guard let multi = unsafe curl.functions.pointee.multi_init() else {
            throw NetworkFailure(reason: .local, cause: "libcurl could not be set up")
        }
        self.curl = curl
        unsafe self.multi = multi
        unsafe _ = ccurl_multi_set_long(curl.functions, multi, CURLMOPT_MAXCONNECTS, Connections.idleLimit)
    }

    deinit {
        unsafe _ = curl.functions.pointee.multi_cleanup(multi)
    }
}
