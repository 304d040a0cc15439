// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import MediaCore
internal import Synchronization

/// Knows how the machine is connected and tells when that changes.
///
/// The kernel says which interface the best default route uses and of what kind that is; NetworkManager, where it runs, says what the
/// kernel cannot know. What is not there is no error: then it is not known.
///
/// Thread: any; changes are told on a thread of its own, no lock held.
package final class NetworkWatch: Sendable {
    private let current: Mutex<NetworkState>
    private let isStopped = Atomic<Bool>(false)
    private let wakeUp = EventSignal()
    private let log: LogHub
    private let busAddress: String?
    // Handed to the thread by `start`, which happens once; nobody else touches them.
    nonisolated(unsafe) private let kernel: KernelNetwork

    /// Asks the kernel at once; what NetworkManager says follows after `start`.
    ///
    /// - Parameters:
    ///   - interfaces: where the kernel describes interfaces.
    ///   - busAddress: of the message bus; nil: the system's.
    package init(
        interfaces: SystemInterfaces = SystemInterfaces(), busAddress: String? = nil, log: LogHub = .shared
    ) {
        self.log = log
        self.busAddress = busAddress
        let kernel = KernelNetwork(interfaces: interfaces)
        current = Mutex(NetworkState(kernel: kernel.type, manager: nil))
        unsafe self.kernel = kernel
    }

    deinit {
        stop()
    }

    /// How the machine is connected, as far as that is known.
    package var state: NetworkState { current.withLock { $0 } }

    /// Begins to watch. Once.
    ///
    /// - Parameter onChange: gets the new state, on the watch's thread; must return quickly.
    package func start(onChange: @escaping @Sendable (NetworkState) -> Void) {
        let loop = unsafe NetworkLoop(kernel: kernel, busAddress: busAddress, wakeUp: wakeUp)
        nonisolated(unsafe) let handed = loop
        PlainThread.start("kit-network") { [weak self] in
            unsafe handed.run { state in
                guard let self, !self.isStopped.load(ordering: .acquiring) else { return false }
                self.note(state, onChange)
                return true
            }
        }
    }

    /// Ends the watch: the thread ends soon, and a change that is being told may still come. Returns at once.
    package func stop() {
        isStopped.store(true, ordering: .releasing)
        wakeUp.raise()
    }

    private func note(_ state: NetworkState, _ onChange: @Sendable (NetworkState) -> Void) {
        let isNew = current.withLock { current in
            defer { current = state }
            return current != state
        }
        guard isNew else { return }
        log.d(
            "NetworkWatch",
            "the network is now \(state.type), metered: \(state.isMetered.map(String.init) ?? "unknown")")
        onChange(state)
    }
}

/// What the kernel says. Thread: one at a time.
final class KernelNetwork {
    let routes = RouteSocket()
    private let interfaces: SystemInterfaces
    private(set) var type = NetworkType.unknown

    init(interfaces: SystemInterfaces) {
        self.interfaces = interfaces
        look()
    }

    func look() {
        guard let table = routes?.snapshot() else {
            type = .unknown
            return
        }
        type = table.bestLink.map(interfaces.type) ?? .none
    }
}
