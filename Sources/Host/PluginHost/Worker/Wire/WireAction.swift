// SPDX-License-Identifier: Apache-2.0

/// What an instance in a worker asks for, unjudged.
package struct WireAction: Hashable, Sendable {
    package var session: UInt32
    package var sequence: UInt64
    package var action: Int32
    package var argument: Int64
}
