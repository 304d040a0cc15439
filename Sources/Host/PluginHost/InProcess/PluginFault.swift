// SPDX-License-Identifier: Apache-2.0

package import Sessions

/// A decision that a plugin owed and did not give; it is in the instance's status already.
package struct PluginFault: Error, Hashable, Sendable, CustomStringConvertible {
    package var fault: StrategyStatus.Fault

    package init(_ fault: StrategyStatus.Fault) {
        self.fault = fault
    }

    package var description: String { fault.detail }
}
