// SPDX-License-Identifier: Apache-2.0

import MachineNetwork
import MediaCore
import Testing

@Suite struct NetworkStateTests {
    @Test(
        arguments: [
            ("802-11-wireless", NetworkType.wifi), ("802-3-ethernet", .ethernet), ("gsm", .cellular),
            ("cdma", .cellular),
            ("bluetooth", .unknown), ("wireguard", .unknown), ("", .unknown), (nil, .unknown),
        ] as [(String?, NetworkType)])
    func theManagersWordCountsWhereTheKernelHasNone(name: String?, type: NetworkType) {
        let manager = NetworkManagerState(connectionType: name, metered: 1)
        #expect(NetworkState(kernel: .unknown, manager: manager) == NetworkState(type, isMetered: true))
        #expect(NetworkState(kernel: .ethernet, manager: manager) == NetworkState(.ethernet, isMetered: true))
        #expect(NetworkState(kernel: .none, manager: manager) == NetworkState(.none))
    }

    @Test(
        arguments: [(0, nil), (1, true), (2, false), (3, true), (4, false), (5, nil), (.max, nil), (nil, nil)]
            as [(UInt32?, Bool?)])
    func aGuessOfTheManagerIsTaken(metered: UInt32?, expected: Bool?) {
        let manager = NetworkManagerState(connectionType: nil, metered: metered)
        #expect(NetworkState(kernel: .wifi, manager: manager) == NetworkState(.wifi, isMetered: expected))
    }

    @Test(arguments: NetworkType.allCases)
    func withoutAManagerTheKernelsWordIsAll(type: NetworkType) {
        #expect(NetworkState(kernel: type, manager: nil) == NetworkState(type))
    }
}
