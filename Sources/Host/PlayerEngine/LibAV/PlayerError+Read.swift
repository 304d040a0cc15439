// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore

extension PlayerError {
    /// What ended the reading of an open source, other than its end.
    ///
    /// - Parameter name: the source as it may be shown.
    init(reading name: String, from input: MediaInput, status: AVStatus) {
        if let network = input.networkFailure {
            self.init(network: network, of: name)
            return
        }
        let cause = status.description
        if input.isStale {
            self.init(stale: name, cause: cause)
            return
        }
        switch status {
        case .timedOut, .exit:
            self.init(
                .timedOut, "\(name) gave nothing more in time",
                hint: input.location.isRemote ? "Check the network and the server." : "Check what it is on.",
                cause: cause)
        case .invalidData:
            self.init(.corrupt, "\(name) cannot be read to its end", hint: "Get it again.", cause: cause)
        case .outOfMemory:
            self.init(
                .outOfMemory, "Out of memory while reading \(name)", hint: "Play less at once, or end other programs.",
                cause: cause)
        case let status where AVStatus.httpStatuses.contains(status):
            self.init(
                .httpStatus, "The server refused more of \(name): \(cause)",
                hint: "Check whether its addresses have expired.", cause: cause, httpStatus: status.httpStatus)
        default:
            self.init(
                .readFailed, "\(name) could not be read to its end",
                hint: "Check the device or the network it is on.", cause: cause)
        }
    }
}
