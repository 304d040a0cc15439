// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// HTTP requests one after the other, over the connections of a client.
///
/// Thread: the demux thread.
@safe final class HTTPConnection {
    private let client: HTTPClient
    private let curl: Curl
    private let easy: UnsafeMutableRawPointer
    private let body = HTTPBody()
    private var isUnderWay = false

    private static let redirectLimit = 8
    /// Bytes of headers from which on libcurl reads no more, less those that one read may bring.
    private static let headLimit = 200 << 10

    /// - Throws: `local`, where libcurl cannot be set up.
    init(_ client: HTTPClient) throws(NetworkFailure) {
        guard let easy = unsafe client.curl.functions.pointee.easy_init() else {
            throw NetworkFailure(reason: .local, cause: "libcurl could not be set up")
        }
        self.client = client
        curl = client.curl
        unsafe self.easy = easy
        // Before anything else is asked of it: an older libcurl would follow redirects to other protocols.
        guard set(CURLOPT_PROTOCOLS_STR, "http,https"), set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https") else {
            throw NetworkFailure(reason: .local, cause: "libcurl is older than 7.85")
        }
        setUp(client.settings)
    }

    deinit {
        end()
        unsafe curl.functions.pointee.easy_cleanup(easy)
    }

    private func setUp(_ settings: HTTPSettings) {
        set(CURLOPT_NOSIGNAL, 1)
        // Otherwise ending a request waits for the thread that asks for the address.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_FOLLOWLOCATION, 1)
        set(CURLOPT_MAXREDIRS, HTTPConnection.redirectLimit)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_FAILONERROR, 1)
        // Asks for bytes as they are, and unpacks them all the same where a server packs them.
        set(CURLOPT_ACCEPT_ENCODING, "identity")
        // Cookies of one answer are for the next request, and for nobody else.
        set(CURLOPT_COOKIEFILE, "")
        set(CURLOPT_USERAGENT, settings.userAgent)
        if let referer = settings.referer { set(CURLOPT_REFERER, referer) }
        unsafe _ = ccurl_set_pointer(curl.functions, easy, CURLOPT_SHARE, client.cookies)
        unsafe _ = ccurl_set_write(curl.functions, easy, writeThunk)
        for option in [CURLOPT_WRITEDATA, CURLOPT_PRIVATE] {
            unsafe _ = ccurl_set_pointer(curl.functions, easy, option, Unmanaged.passUnretained(body).toOpaque())
        }
    }

    /// Asks for the content from `offset` on and waits for the head of the answer.
    func request(_ url: String, from offset: Int64) throws(NetworkFailure) -> HTTPAnswer {
        end()
        set(CURLOPT_URL, url)
        unsafe _ = ccurl_set_pointer(curl.functions, easy, CURLOPT_HTTPHEADER, client.headers(for: url))
        set(CURLOPT_RANGE, "\(offset)-")
        // What was asked of a secure server is not asked of others.
        set(CURLOPT_REDIR_PROTOCOLS_STR, url.lowercased().hasPrefix("https:") ? "https" : "http,https")
        guard unsafe curl.functions.pointee.multi_add_handle(client.connections.multi, easy) == CURLM_OK else {
            throw NetworkFailure(reason: .local, cause: "libcurl could not begin a request")
        }
        isUnderWay = true
        client.begin()
        // The time until an answer begins says nothing about how fast it comes.
        var waited: Int64 = 0
        try client.advance(while: { body.isEmpty && body.result == nil }, waited: &waited)
        let status = number(CURLINFO_RESPONSE_CODE)
        if let result = body.result, result != .ok, !(status == 416 && result == CurlStatus(CURLE_HTTP_RETURNED_ERROR))
        {
            if result == CurlStatus(CURLE_HTTP_RETURNED_ERROR) {
                throw NetworkFailure(reason: .status(status), cause: "status \(status)")
            }
            // Some of the body may have come before it broke off.
            if body.isEmpty { throw failure(result) }
        }
        guard (200...299).contains(status) || status == 416 else {
            throw NetworkFailure(
                reason: (300...399).contains(status) ? .redirect : .badAnswer, cause: "status \(status)")
        }
        let length = byteCount(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        guard
            let answer = HTTPAnswer(
                status: status, length: length >= 0 ? length : nil,
                url: text(CURLINFO_EFFECTIVE_URL) ?? url, field: field)
        else { throw NetworkFailure(reason: .badAnswer, cause: "status \(status) with headers that do not fit") }
        return answer
    }

    /// Waits for bytes of the answer.
    ///
    /// - Returns: how many it gave; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkFailure) -> Int {
        if body.isPaused, body.isEmpty {
            body.isPaused = false
            // Hands over what was held back before it returns.
            unsafe _ = curl.functions.pointee.easy_pause(easy, Int32(CURLPAUSE_CONT))
        }
        try awaitContent()
        if !body.isEmpty {
            let count = unsafe body.take(into: buffer)
            client.hear(count)
            return count
        }
        if let result = body.result, result != .ok, number(CURLINFO_RESPONSE_CODE) != 416 { throw failure(result) }
        return 0
    }

    /// Waits for content, and counts what came of the wait. What is there without one came while nothing was read.
    private func awaitContent() throws(NetworkFailure) {
        var waited: Int64 = 0
        defer { if waited > 0 { client.note(arrived: body.count, within: waited) } }
        try client.advance(while: { body.isEmpty && body.result == nil }, waited: &waited)
    }

    /// Gives up the request that is under way.
    func end() {
        if isUnderWay { unsafe _ = curl.functions.pointee.multi_remove_handle(client.connections.multi, easy) }
        isUnderWay = false
        body.clear()
    }

    private func failure(_ status: CurlStatus) -> NetworkFailure {
        var failure = NetworkFailure(status)
        // A redirect to another protocol, or an answer that is none.
        if CURLcode(status.rawValue) == CURLE_UNSUPPORTED_PROTOCOL,
            !(300...399).contains(number(CURLINFO_RESPONSE_CODE))
        {
            failure.reason = .badAnswer
        }
        if isHeadTooLong(status) { failure = NetworkFailure(reason: .badAnswer, cause: "headers that do not end") }
        let number = Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO))
        if number != 0, failure.reason == .notConnected { failure.cause += ": " + AVStatus(errno: number).description }
        if AVStatus(errno: number) == .tooManyFiles { failure.reason = .local }
        return failure
    }

    /// Whether libcurl gave up on the headers of an answer. Of a line that is too long it says that memory is short, of too many that nothing
    /// was received.
    private func isHeadTooLong(_ status: CurlStatus) -> Bool {
        guard body.isEmpty, byteCount(CURLINFO_STARTTRANSFER_TIME_T) > 0 else { return false }
        return switch status {
        case CurlStatus(CURLE_OUT_OF_MEMORY), .tooLarge: true
        case CurlStatus(CURLE_RECV_ERROR): number(CURLINFO_HEADER_SIZE) > HTTPConnection.headLimit
        default: false
        }
    }

    private func set(_ option: CURLoption, _ value: Int) {
        unsafe _ = ccurl_set_long(curl.functions, easy, option, value)
    }

    /// - Returns: false if this libcurl does not know the option.
    @discardableResult
    private func set(_ option: CURLoption, _ value: String) -> Bool {
        // libcurl keeps a copy.
        unsafe value.withCString { unsafe ccurl_set_pointer(curl.functions, easy, option, $0) } == CURLE_OK
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        unsafe _ = ccurl_get_long(curl.functions, easy, info, &value)
        return value
    }

    private func byteCount(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = -1
        unsafe _ = ccurl_get_offset(curl.functions, easy, info, &value)
        return Int64(value)
    }

    private func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        unsafe _ = ccurl_get_string(curl.functions, easy, info, &value)
        return unsafe value.map { unsafe String(cString: $0) }
    }

    /// A header of the last answer.
    private func field(_ name: String) -> String? {
        var header: UnsafeMutablePointer<curl_header>?
        let status = unsafe curl.functions.pointee.easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &header)
        guard status == CURLHE_OK, let header = unsafe header else { return nil }
        return unsafe String(cString: header.pointee.value)
    }
}

private func writeThunk(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ opaque: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let opaque = unsafe opaque else { return 0 }
    let body = unsafe Unmanaged<HTTPBody>.fromOpaque(opaque).takeUnretainedValue()
    let isTaken = unsafe body.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return isTaken ? size * count : Int(CURL_WRITEFUNC_PAUSE)
}
