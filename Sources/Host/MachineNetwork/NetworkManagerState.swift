// SPDX-License-Identifier: Apache-2.0

package import MediaCore

/// What NetworkManager says of the connection that the default route uses.
package struct NetworkManagerState: Hashable, Sendable {
    /// Its `PrimaryConnectionType`, as `802-11-wireless`.
    package var connectionType: String?
    /// Its `Metered`: 1 yes, 2 no, 3 yes as a guess, 4 no as a guess; else unknown.
    package var metered: UInt32?

    package init(connectionType: String? = nil, metered: UInt32? = nil) {
        self.connectionType = connectionType
        self.metered = metered
    }

    package var type: NetworkType {
        switch connectionType {
        case "802-11-wireless": .wifi
        case "802-3-ethernet": .ethernet
        case "gsm", "cdma": .cellular
        default: .unknown
        }
    }

    package var isMetered: Bool? {
        switch metered {
        case 1, 3: true
        case 2, 4: false
        default: nil
        }
    }
}

extension NetworkState {
    /// The kernel's word on the type goes before NetworkManager's, which knows what is under a tunnel and behind a modem, and whether
    /// it is metered. What is not connected is neither.
    package init(kernel type: NetworkType, manager: NetworkManagerState?) {
        switch type {
        case .none: self.init(.none)
        case .unknown: self.init(manager?.type ?? .unknown, isMetered: manager?.isMetered)
        default: self.init(type, isMetered: manager?.isMetered)
        }
    }
}
