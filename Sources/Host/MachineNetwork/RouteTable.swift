// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The machine's interfaces and default routes, as the kernel's dumps of them say.
package struct RouteTable: Hashable, Sendable {
    /// A network interface.
    package struct Link: Hashable, Sendable {
        package var index: Int32
        package var name: String
        /// `ARPHRD_*`.
        package var hardwareType: UInt16
        /// Switched on and connected.
        package var isRunning: Bool

        package init(index: Int32, name: String, hardwareType: UInt16, isRunning: Bool) {
            self.index = index
            self.name = name
            self.hardwareType = hardwareType
            self.isRunning = isRunning
        }
    }

    /// A default route of the main table.
    package struct DefaultRoute: Hashable, Sendable {
        package var isVersion6: Bool
        /// The lowest is used.
        package var metric: UInt32
        package var interface: Int32

        package init(isVersion6: Bool, metric: UInt32, interface: Int32) {
            self.isVersion6 = isVersion6
            self.metric = metric
            self.interface = interface
        }
    }

    package private(set) var links: [Int32: Link] = [:]
    package private(set) var defaultRoutes: [DefaultRoute] = []

    package init() {}

    /// The interface of the best default route that can be used; of equal metrics version 4 goes before version 6.
    package var bestLink: Link? {
        let usable = defaultRoutes.filter { links[$0.interface]?.isRunning == true }
        let best = usable.min { ($0.metric, $0.isVersion6 ? 1 : 0) < ($1.metric, $1.isVersion6 ? 1 : 0) }
        return best.flatMap { links[$0.interface] }
    }

    /// Takes one message of a dump; others are passed over.
    package mutating func take(_ message: NetlinkMessage) {
        switch message.type {
        case RTM_NEWLINK:
            if let link = RouteTable.link(message.body) { links[link.index] = link }
        case RTM_NEWROUTE:
            if let route = RouteTable.defaultRoute(message.body) { defaultRoutes.append(route) }
        default: break
        }
    }

    /// Whether a notification may change what a dump says.
    package static func isAboutIt(_ message: NetlinkMessage) -> Bool {
        switch message.type {
        case RTM_NEWLINK, RTM_DELLINK: true
        case RTM_NEWROUTE, RTM_DELROUTE: message.body.number(UInt8.self, at: 1) == 0
        default: false
        }
    }

    private static func link(_ body: ArraySlice<UInt8>) -> Link? {
        guard let hardwareType = body.number(UInt16.self, at: 2), let index = body.number(Int32.self, at: 4),
            let flags = body.number(UInt32.self, at: 8)
        else { return nil }
        let name = NetlinkMessage.attributes(of: body, from: 16)[Int(IFLA_IFNAME)]?.prefix { $0 != 0 }
        let running = UInt32(IFF_UP | IFF_RUNNING)
        return Link(
            index: index, name: String(decoding: name ?? [], as: UTF8.self), hardwareType: hardwareType,
            isRunning: flags & running == running)
    }

    private static func defaultRoute(_ body: ArraySlice<UInt8>) -> DefaultRoute? {
        guard let family = body.number(UInt8.self, at: 0), [AF_INET, AF_INET6].contains(Int32(family)),
            body.number(UInt8.self, at: 1) == 0,
            let shortTable = body.number(UInt8.self, at: 4), body.number(UInt8.self, at: 7) == UInt8(RTN_UNICAST),
            let flags = body.number(UInt32.self, at: 8), flags & UInt32(RTNH_F_DEAD | RTNH_F_LINKDOWN) == 0
        else { return nil }
        let attributes = NetlinkMessage.attributes(of: body, from: 12)
        let table = attributes[Int(RTA_TABLE.rawValue)]?.number(UInt32.self, at: 0) ?? UInt32(shortTable)
        // Of several next hops the first stands for all: a struct rtnexthop, with its interface at 4.
        guard table == RT_TABLE_MAIN.rawValue,
            let interface = attributes[Int(RTA_OIF.rawValue)]?.number(Int32.self, at: 0)
                ?? attributes[Int(RTA_MULTIPATH.rawValue)]?.number(Int32.self, at: 4)
        else { return nil }
        return DefaultRoute(
            isVersion6: Int32(family) == AF_INET6,
            metric: attributes[Int(RTA_PRIORITY.rawValue)]?.number(UInt32.self, at: 0) ?? 0, interface: interface)
    }
}
