// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// What a monitoring strategy asks its controller to do.
package struct ActionRequest: Hashable, Sendable {
    /// The numbers are those of the plugin ABI.
    package enum Action: Int32, Sendable {
        case pause = 1
        case play = 2
        case stop = 3
        case seek = 4
    }

    /// What became of it; the numbers are results of the plugin ABI.
    package enum Outcome: Int32, Sendable {
        case done = 0
        /// The source was switched, the session ended, or the user gave a later command.
        case stale = -3
        /// The user did not grant it.
        case denied = -6
        /// The controller could not do it.
        case failed = -8
    }

    /// The name of the instance that asks.
    package var instance: String
    package var session: SessionID
    /// The sequence number of the event that made it ask.
    package var trigger: UInt64
    package var action: Action
    /// Of a seek: where to, in microseconds.
    package var argument: Int64

    package init(instance: String, session: SessionID, trigger: UInt64, action: Action, argument: Int64) {
        self.instance = instance
        self.session = session
        self.trigger = trigger
        self.action = action
        self.argument = argument
    }
}
