// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

extension SessionRecord {
    /// Whose business it is that a session failed.
    public enum FailureClass: String, Sendable {
        /// Of the network, the server, the media or this machine.
        case technical
        /// The server serves, and not to this viewer: 401, 402, 403, 451.
        case business
        /// What was asked for cannot be: no such file, no such scheme, settings that cannot be put in force.
        case user
    }

    /// Of the error that ended the session; nil if none did.
    public var failureClass: FailureClass? {
        guard outcome == .vsf || outcome == .vpf else { return nil }
        guard let failure = errors.first(where: \.isFatal), let code = failure.code else { return .technical }
        if code == ErrorCode.httpStatus.rawValue, let status = failure.httpStatus {
            return SessionRecord.businessStatuses.contains(status) ? .business : .technical
        }
        return SessionRecord.userCodes.contains { $0.rawValue == code } ? .user : .technical
    }

    private static let businessStatuses: Set<Int64> = [401, 402, 403, 451]
    private static let userCodes: [ErrorCode] = [
        .invalidSource, .noResolver, .cancelled, .outOfRange, .invalidConfiguration, .notFound, .isDirectory,
        .unsupportedProtocol,
    ]
}
