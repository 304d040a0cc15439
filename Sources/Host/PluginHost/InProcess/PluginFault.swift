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

extension StrategyStatus.Fault {
    /// What kept an instance from being made: a file that cannot be loaded is refused, as in a worker.
    package init(starting error: any Error) {
        let isRefusal = ![.create, .worker, nil].contains((error as? PluginError)?.stage)
        self.init(
            isRefusal ? .refused : .error, during: isRefusal ? "load" : "create", detail: "\(error)")
    }

    /// How an instance fares that was not made for this reason.
    package var healthAtStart: StrategyStatus.Health { kind == .refused ? .refused : .quarantined }
}
