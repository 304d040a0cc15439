// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

extension PlayerError {
    /// - Parameter name: the source as it may be shown.
    init(network failure: NetworkFailure, of name: String) {
        let cause = failure.cause
        switch failure.reason {
        case .cancelled:
            self.init(.cancelled, "Reading \(name) was cancelled", hint: "Play it again.", cause: cause)
        case .timedOut:
            self.init(
                .timedOut, "\(name) gave nothing in time", hint: "Check the network and the server, then try again.",
                cause: cause)
        case .status(let status):
            self.init(
                .httpStatus, "The server answered \(status) for \(name)", hint: PlayerError.hint(status: status),
                cause: cause, httpStatus: status)
        case .hostNotFound:
            self.init(
                .hostNotFound, "The host of \(name) was not found", hint: "Check its name and the name service.",
                cause: cause)
        case .notConnected:
            self.init(
                .connectFailed, "Cannot connect to the server of \(name)",
                hint: "Check the port, the network and whether the server runs.", cause: cause)
        case .tls:
            self.init(
                .tlsFailed, "No secure connection to the server of \(name)",
                hint: "Check the server's certificate, this machine's clock and its certificate store.", cause: cause)
        case .redirect:
            self.init(
                .redirectRefused, "\(name) redirects to where it is not followed",
                hint: "Give the final address; from https only https is followed, and eight redirects at most.",
                cause: cause)
        case .badAnswer:
            self.init(
                .badAnswer, "The server of \(name) gives an answer that makes no sense",
                hint: "Check that the address is that of an HTTP server, and what is between it and here.", cause: cause
            )
        case .cutOff:
            self.init(
                .readFailed, "The server of \(name) ends before the content does",
                hint: "Try again; if it goes on, the server promises more than it has.", cause: cause)
        case .changed:
            self.init(
                .sourceChanged, "\(name) was replaced by something else while it was read", hint: "Play it again.",
                cause: cause)
        case .notResumable:
            self.init(
                .readFailed, "The connection to the server of \(name) broke, and it cannot be resumed there",
                hint: "Play it again, or serve it with a length.", cause: cause)
        case .badAddress:
            self.init(
                .invalidSource, "\(name) cannot be an address",
                hint: "Check the host, the port and what must be escaped.",
                cause: cause)
        case .local:
            self.init(
                .networkUnavailable, "This machine could not ask for \(name)",
                hint: "Check that libcurl is installed and that memory and open files are left.", cause: cause)
        }
    }

    private static func hint(status: Int) -> String {
        switch status {
        case 401, 403: "Check its credentials and whether its signature has expired."
        case 404, 410: "Check the address."
        case 408, 429, 500...599: "Try again later."
        default: "Check the address and what the server expects."
        }
    }
}
