// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import MediaCore

/// Who on this machine tells how it is connected, and what they say.
package struct NetworkSources: Sendable {
    /// Whether the kernel tells routes.
    package var hasKernel: Bool
    /// Whether NetworkManager answers.
    package var hasManager: Bool
    package var state: NetworkState

    /// Asks them. Blocks for `milliseconds` at most, real time, where there is a bus but nobody answers.
    ///
    /// - Parameter busAddress: of the message bus; nil: the system's.
    package static func ask(
        interfaces: SystemInterfaces = SystemInterfaces(), busAddress: String? = nil, milliseconds: Int = 1000
    ) -> NetworkSources {
        let kernel = KernelNetwork(interfaces: interfaces)
        let manager = NetworkManagerBus(address: busAddress)
        let end = monotonicMicroseconds() + Int64(milliseconds) * 1000
        while let manager, manager.state == nil, manager.process(), manager.isWaiting {
            let left = (end - monotonicMicroseconds() + 999) / 1000
            guard left > 0 else { break }
            var entry = manager.pollEntry
            unsafe poll(&entry, 1, Int32(clamping: min(left, 50)))
        }
        return NetworkSources(
            hasKernel: kernel.routes != nil, hasManager: manager?.state != nil,
            state: NetworkState(kernel: kernel.type, manager: manager?.state))
    }
}
