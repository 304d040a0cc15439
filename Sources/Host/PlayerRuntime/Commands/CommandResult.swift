// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// What became of a command to a controller.
public enum CommandResult: Equatable, Sendable {
    /// Done; what comes of it are events.
    case performed
    /// It was given inside a callback and is performed when that is over.
    case queued
    /// There was nothing to do it to, or what it was given cannot be; nothing changed.
    case ignored(PlayerError)
    /// It was tried and failed; where a session is concerned an error event says the same.
    case failed(PlayerError)

    /// Why it was not done; nil if it was or will be.
    public var error: PlayerError? {
        switch self {
        case .performed, .queued: nil
        case .ignored(let error), .failed(let error): error
        }
    }
}
