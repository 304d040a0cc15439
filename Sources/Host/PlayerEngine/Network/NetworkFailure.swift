// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// Why a network source gave no bytes, or no more.
struct NetworkFailure: Error, Hashable {
    enum Reason: Hashable {
        case cancelled
        /// Nothing came within the time for one operation.
        case timedOut
        /// A status that is no success.
        case status(Int)
        case hostNotFound
        /// Refused, unreachable, or closed before it was open.
        case notConnected
        case tls
        /// A redirect too many, or to a protocol that is not allowed.
        case redirect
        /// The answer is no HTTP, or contradicts itself or the request.
        case badAnswer
        /// The connection ended before the content did.
        case cutOff
        /// What is there now is not what was there before.
        case changed
        /// What is lost cannot be asked for again: the server tells neither a length nor a version.
        case notResumable
        /// The address cannot be one.
        case badAddress
        /// This machine lacks something: memory, descriptors, libcurl.
        case local
    }

    var reason: Reason
    /// What the layer below said, empty if nothing. No names, no addresses.
    var cause = ""

    /// Whether the same may work a moment later.
    var mayPass: Bool {
        switch reason {
        case .timedOut, .hostNotFound, .notConnected, .cutOff: true
        case .status(let status): status == 408 || status == 429 || (500...599).contains(status)
        case .cancelled, .tls, .redirect, .badAnswer, .changed, .notResumable, .badAddress, .local: false
        }
    }

    /// In a few words, for people who wait.
    var summary: String {
        switch reason {
        case .cancelled: "cancelled"
        case .timedOut: "nothing came in time"
        case .status(let status): "status \(status)"
        case .hostNotFound: "the host name was not found"
        case .notConnected: "no connection"
        case .tls: "no secure connection"
        case .redirect: "a redirect that is not followed"
        case .badAnswer: "an answer that makes no sense"
        case .cutOff: "the connection ended early"
        case .changed: "the content has changed"
        case .notResumable: "the content cannot be resumed"
        case .badAddress: "an address that cannot be one"
        case .local: "this machine could not ask"
        }
    }
}

extension NetworkFailure {
    /// What a transfer that failed means.
    init(_ status: CurlStatus) {
        let reason: Reason =
            switch CURLcode(status.rawValue) {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .hostNotFound
            case CURLE_COULDNT_CONNECT: .notConnected
            case CURLE_OPERATION_TIMEDOUT: .timedOut
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
                .tls
            case CURLE_TOO_MANY_REDIRECTS, CURLE_UNSUPPORTED_PROTOCOL: .redirect
            case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR: .cutOff
            case CURLE_URL_MALFORMAT: .badAddress
            case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: .local
            default: .badAnswer
            }
        self.init(reason: reason, cause: status.description)
    }
}
