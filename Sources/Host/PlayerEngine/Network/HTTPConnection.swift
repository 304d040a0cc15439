// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// HTTP requests one after the other, over one connection where the server keeps it. Never blocks for longer than 50 ms without asking
/// the interrupt.
///
/// Thread: the demux thread.
@safe final class HTTPConnection {
    private let curl: Curl
    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    private let interrupt: Interrupt
    private let timeout: Int64
    private let body = HTTPBody()
    private var isUnderWay = false
    /// What the transfer came to; nil while it is under way.
    private var result: CurlStatus?

    private static let pollMilliseconds: Int32 = 50
    private static let redirectLimit = 8

    /// - Throws: `local`, where libcurl is missing or cannot be set up.
    init(_ settings: HTTPSettings, interrupt: Interrupt) throws(NetworkFailure) {
        guard let curl = Curl.shared else {
            throw NetworkFailure(reason: .local, cause: "libcurl 4 is not installed")
        }
        guard let easy = unsafe curl.functions.pointee.easy_init() else {
            throw NetworkFailure(reason: .local, cause: "libcurl could not be set up")
        }
        guard let multi = unsafe curl.functions.pointee.multi_init() else {
            unsafe curl.functions.pointee.easy_cleanup(easy)
            throw NetworkFailure(reason: .local, cause: "libcurl could not be set up")
        }
        self.curl = curl
        unsafe self.easy = easy
        unsafe self.multi = multi
        self.interrupt = interrupt
        timeout = settings.timeout
        var list: UnsafeMutablePointer<curl_slist>?
        for line in settings.headerLines {
            // libcurl sends a header without a value for a line that ends in a semicolon, and drops it for one that ends in a colon.
            let spelled = line.hasSuffix(": ") ? line.dropLast(2) + ";" : Substring(line)
            unsafe list = curl.functions.pointee.slist_append(list, String(spelled))
        }
        unsafe headers = list
        setUp(settings)
    }

    deinit {
        end()
        unsafe curl.functions.pointee.easy_cleanup(easy)
        unsafe _ = curl.functions.pointee.multi_cleanup(multi)
        unsafe curl.functions.pointee.slist_free_all(headers)
    }

    private func setUp(_ settings: HTTPSettings) {
        set(CURLOPT_NOSIGNAL, 1)
        // Otherwise ending a request waits for the thread that asks for the address.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
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
        unsafe _ = ccurl_set_pointer(curl.functions, easy, CURLOPT_HTTPHEADER, headers)
        unsafe _ = ccurl_set_write(curl.functions, easy, writeThunk)
        unsafe _ = ccurl_set_pointer(
            curl.functions, easy, CURLOPT_WRITEDATA, Unmanaged.passUnretained(body).toOpaque())
    }

    /// Asks for the content from `offset` on and waits for the head of the answer.
    func request(_ url: String, from offset: Int64) throws(NetworkFailure) -> HTTPAnswer {
        end()
        set(CURLOPT_URL, url)
        set(CURLOPT_RANGE, "\(offset)-")
        // What was asked of a secure server is not asked of others.
        set(CURLOPT_REDIR_PROTOCOLS_STR, url.lowercased().hasPrefix("https:") ? "https" : "http,https")
        guard unsafe curl.functions.pointee.multi_add_handle(multi, easy) == CURLM_OK else {
            throw NetworkFailure(reason: .local, cause: "libcurl could not begin a request")
        }
        isUnderWay = true
        try advance { body.isEmpty && result == nil }
        let status = number(CURLINFO_RESPONSE_CODE)
        if let result, result != .ok, !(status == 416 && result == CurlStatus(CURLE_HTTP_RETURNED_ERROR)) {
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
        try advance { body.isEmpty && result == nil }
        if !body.isEmpty { return unsafe body.take(into: buffer) }
        if let result, result != .ok, number(CURLINFO_RESPONSE_CODE) != 416 { throw failure(result) }
        return 0
    }

    /// Gives up the request that is under way.
    func end() {
        if isUnderWay { unsafe _ = curl.functions.pointee.multi_remove_handle(multi, easy) }
        isUnderWay = false
        result = nil
        body.clear()
    }

    /// Drives the transfer for as long as a condition holds.
    private func advance(while isWaiting: () -> Bool) throws(NetworkFailure) {
        interrupt.allow(microseconds: timeout)
        while isWaiting() {
            guard !interrupt.isCancelled else { throw NetworkFailure(reason: .cancelled) }
            guard !interrupt.isTimedOut else { throw NetworkFailure(reason: .timedOut) }
            var running: Int32 = 0
            guard unsafe curl.functions.pointee.multi_perform(multi, &running) == CURLM_OK else {
                throw NetworkFailure(reason: .local, cause: "libcurl could not go on")
            }
            var left: Int32 = 0
            if let message = unsafe curl.functions.pointee.multi_info_read(multi, &left) {
                result = CurlStatus(unsafe ccurl_result(message))
            }
            guard isWaiting() else { return }
            unsafe _ = curl.functions.pointee.multi_poll(multi, nil, 0, HTTPConnection.pollMilliseconds, nil)
        }
    }

    private func failure(_ status: CurlStatus) -> NetworkFailure {
        var failure = NetworkFailure(status)
        // A redirect to another protocol, or an answer that is none.
        if CURLcode(status.rawValue) == CURLE_UNSUPPORTED_PROTOCOL,
            !(300...399).contains(number(CURLINFO_RESPONSE_CODE))
        {
            failure.reason = .badAnswer
        }
        let number = Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO))
        if number != 0, failure.reason == .notConnected { failure.cause += ": " + AVStatus(errno: number).description }
        if AVStatus(errno: number) == .tooManyFiles { failure.reason = .local }
        return failure
    }

    private func set(_ option: CURLoption, _ value: Int) {
        unsafe _ = ccurl_set_long(curl.functions, easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String) {
        // libcurl keeps a copy.
        unsafe _ = value.withCString { unsafe ccurl_set_pointer(curl.functions, easy, option, $0) }
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
