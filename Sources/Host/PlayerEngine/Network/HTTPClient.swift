// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import MediaCore

/// What all requests of one source share: settings, cookies, connections, tries.
///
/// Thread: the demux thread.
@safe final class HTTPClient {
    let curl: Curl
    let settings: HTTPSettings
    let interrupt: Interrupt
    let retries: Retries
    let connections: Connections
    let cookies: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    private let foreignHeaders: UnsafeMutablePointer<curl_slist>?
    /// Of content, from all addresses.
    private(set) var bytesRead: Int64 = 0
    /// What came while reading content waited for it.
    private(set) var arrival = ByteCounts.Arrival()
    private var silence: Silence
    /// Since the newest request.
    private var byteCount = 0

    private static let pollMilliseconds: Int32 = 50

    /// - Parameter connections: this client's alone for as long as it is there.
    /// - Throws: `local`, where libcurl cannot be set up.
    init(
        _ settings: HTTPSettings, connections: Connections, interrupt: Interrupt, retries: Retries
    ) throws(NetworkFailure) {
        let curl = connections.curl
        guard let cookies = unsafe curl.functions.pointee.share_init() else {
            throw NetworkFailure(reason: .local, cause: "libcurl could not be set up")
        }
        unsafe _ = ccurl_share(curl.functions, cookies, CURL_LOCK_DATA_COOKIE)
        self.curl = curl
        self.settings = settings
        self.interrupt = interrupt
        self.retries = retries
        silence = Silence(limit: settings.timeout)
        self.connections = connections
        unsafe self.cookies = cookies
        unsafe headers = HTTPClient.list(of: settings.headerLines, curl)
        unsafe foreignHeaders = HTTPClient.list(of: settings.foreignHeaderLines, curl)
    }

    deinit {
        unsafe _ = curl.functions.pointee.share_cleanup(cookies)
        unsafe curl.functions.pointee.slist_free_all(headers)
        unsafe curl.functions.pointee.slist_free_all(foreignHeaders)
    }

    private static func list(of lines: [String], _ curl: Curl) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            // libcurl sends a header without a value for a line that ends in a semicolon, and drops it for one that ends in a colon.
            let spelled = line.hasSuffix(": ") ? line.dropLast(2) + ";" : Substring(line)
            unsafe list = curl.functions.pointee.slist_append(list, String(spelled))
        }
        return unsafe list
    }

    /// What a request for an address says besides; the client's.
    func headers(for url: String) -> UnsafeMutablePointer<curl_slist>? {
        unsafe settings.isOwn(url) ? headers : foreignHeaders
    }

    /// A request begins: it has the whole time.
    func begin() {
        silence.end()
        byteCount = 0
    }

    /// Bytes have come, whether or not they are of use.
    func hear(_ count: Int) {
        silence.hear(count)
    }

    /// Content was waited for.
    ///
    /// - Parameters:
    ///   - count: bytes that came.
    ///   - duration: microseconds.
    func note(arrived count: Int, within duration: Int64) {
        arrival.count += Int64(count)
        arrival.duration += duration
    }

    /// Bytes are handed on. Once they are not next to nothing, the tries are counted anew.
    ///
    /// - Parameter isLast: they are the last ones of what was asked for.
    func give(_ count: Int, isLast: Bool) {
        bytesRead += Int64(count)
        byteCount += count
        if byteCount >= silence.leastBytes || isLast { retries.succeed() }
    }

    /// Drives the transfers for as long as a condition holds. Never blocks for longer than 50 ms without asking the interrupt.
    ///
    /// - Parameter waited: set to the microseconds that it took, also where it fails; 0 if what was waited for had come before.
    func advance(while isWaiting: () -> Bool, waited: inout Int64) throws(NetworkFailure) {
        let start = monotonicMicroseconds()
        var hasWaited = false
        defer {
            let duration = monotonicMicroseconds() - start
            silence.lasts(duration)
            waited = hasWaited ? duration : 0
        }
        while isWaiting() {
            guard !interrupt.isBroken else { throw NetworkFailure(reason: .cancelled) }
            guard monotonicMicroseconds() - start < silence.left else { throw NetworkFailure(reason: .timedOut) }
            var running: Int32 = 0
            guard unsafe curl.functions.pointee.multi_perform(connections.multi, &running) == CURLM_OK else {
                throw NetworkFailure(reason: .local, cause: "libcurl could not go on")
            }
            takeResults()
            guard isWaiting() else { return }
            hasWaited = true
            unsafe _ = curl.functions.pointee.multi_poll(connections.multi, nil, 0, HTTPClient.pollMilliseconds, nil)
        }
    }

    private func takeResults() {
        var left: Int32 = 0
        while let message = unsafe curl.functions.pointee.multi_info_read(connections.multi, &left) {
            var transfer: UnsafePointer<CChar>?
            unsafe _ = ccurl_get_string(curl.functions, message.pointee.easy_handle, CURLINFO_PRIVATE, &transfer)
            guard let transfer = unsafe transfer else { continue }
            let body = unsafe Unmanaged<HTTPBody>.fromOpaque(transfer).takeUnretainedValue()
            body.result = CurlStatus(unsafe ccurl_result(message))
        }
    }
}
