// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import CLinux
internal import Glibc

/// libcurl, loaded when it is first needed and never unloaded.
///
/// Thread: any.
@safe final class Curl: Sendable {
    /// nil if this machine has none.
    static let shared = Curl()

    /// Written before sharing, never freed.
    nonisolated(unsafe) let functions: UnsafePointer<ccurl_functions>

    /// In the order of preference: libav has loaded GnuTLS already.
    private static let names = ["libcurl-gnutls.so.4", "libcurl.so.4"]

    private init?() {
        guard let library = unsafe Curl.names.lazy.compactMap({ unsafe dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first
        else { return nil }
        let table = UnsafeMutablePointer<ccurl_functions>.allocate(capacity: 1)
        unsafe table.initialize(to: ccurl_functions())
        unsafe functions = UnsafePointer(table)
        guard unsafe ccurl_find(library, table) != 0,
            unsafe table.pointee.global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK
        else { return nil }
    }
}
