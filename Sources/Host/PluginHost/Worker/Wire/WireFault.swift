// SPDX-License-Identifier: Apache-2.0

/// A worker broke a rule of the wire: what it did, in one clause.
package struct WireFault: Error, Hashable, Sendable {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}
