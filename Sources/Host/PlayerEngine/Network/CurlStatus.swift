// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// What a transfer of libcurl came to. An open set; anything but `ok` is failure.
struct CurlStatus: RawRepresentable, Hashable, CustomStringConvertible {
    var rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(_ code: CURLcode) {
        rawValue = code.rawValue
    }

    static let ok = CurlStatus(CURLE_OK)
    /// Of libcurl from 8.6 on; the headers that this is built with may be older.
    static let tooLarge = CurlStatus(rawValue: 100)

    /// libcurl's own words, without names or addresses.
    var description: String {
        guard let curl = Curl.shared, let text = unsafe curl.functions.pointee.easy_strerror(CURLcode(rawValue)) else {
            return "libcurl status \(rawValue)"
        }
        return unsafe String(cString: text)
    }
}
