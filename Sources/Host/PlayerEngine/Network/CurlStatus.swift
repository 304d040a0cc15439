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

    /// libcurl's own words, without names or addresses.
    var description: String {
        guard let curl = Curl.shared, let text = unsafe curl.functions.pointee.easy_strerror(CURLcode(rawValue)) else {
            return "libcurl status \(rawValue)"
        }
        return unsafe String(cString: text)
    }
}
