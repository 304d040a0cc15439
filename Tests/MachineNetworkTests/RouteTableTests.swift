// SPDX-License-Identifier: Apache-2.0

import Foundation
import MachineNetwork
import MediaCore
import TestSupport
import Testing

/// Reads what `Fixtures/record.py` recorded of the kernel.
private func recorded(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    return [UInt8](try Data(contentsOf: folder.appending(path: name)))
}

private func table(_ datagrams: [UInt8]...) -> RouteTable {
    var table = RouteTable()
    for datagram in datagrams {
        for message in NetlinkMessage.all(in: datagram[...]) { table.take(message) }
    }
    return table
}

@Suite struct RouteTableTests {
    @Test func theInterfacesAreThoseThatWereMade() throws {
        let links = table(try recorded("links.bin")).links.values
        #expect(Set(links.map(\.name)) == ["lo", "eth0", "far0", "usb0", "far1", "off0", "far2"])
        #expect(links.first { $0.name == "eth0" }?.isRunning == true)
        #expect(links.first { $0.name == "off0" }?.isRunning == false)
        #expect(links.first { $0.name == "eth0" }?.hardwareType == 1)
        #expect(links.first { $0.name == "lo" }?.hardwareType == 772)
    }

    @Test func onlyDefaultRoutesOfTheMainTableThatLeadSomewhereCount() throws {
        let links = try recorded("links.bin")
        let version4 = table(links, try recorded("routes4.bin"))
        let eth0 = try #require(version4.links.values.first { $0.name == "eth0" })
        let usb0 = try #require(version4.links.values.first { $0.name == "usb0" })
        #expect(
            version4.defaultRoutes == [
                .init(isVersion6: false, metric: 600, interface: eth0.index),
                .init(isVersion6: false, metric: 700, interface: usb0.index),
            ])
        #expect(version4.bestLink == eth0)
        let both = table(links, try recorded("routes4.bin"), try recorded("routes6.bin"))
        #expect(both.defaultRoutes.last == .init(isVersion6: true, metric: 50, interface: usb0.index))
        #expect(both.bestLink == usb0)
        #expect(table(links, try recorded("routes6.bin")).bestLink == usb0)
        #expect(table(try recorded("routes4.bin")).bestLink == nil)
        #expect(table(links).bestLink == nil)
    }

    @Test func onlyLinksAndDefaultRoutesAreWorthALook() throws {
        let all = NetlinkMessage.all(in: try recorded("routes4.bin")[...])
        #expect(all.contains { !RouteTable.isAboutIt($0) } && all.contains(where: RouteTable.isAboutIt))
        let links = NetlinkMessage.all(in: try recorded("links.bin")[...]).filter { $0.type == 16 }
        #expect(links.count == 7 && links.allSatisfy(RouteTable.isAboutIt))
    }

    @Test(arguments: ["links.bin", "routes4.bin", "routes6.bin"])
    func aCutOrDamagedDatagramGivesWhatIsWholeAndNoMore(name: String) throws {
        let whole = try recorded(name)
        for length in whole.indices { _ = table(Array(whole.prefix(length))) }
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2000 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            #expect(table(damaged).links.count <= whole.count / 32)
        }
    }

    @Test func aMessageThatIsShorterThanItsHeaderOrLongerThanTheDatagramEndsIt() {
        let head: [UInt8] = [0, 0, 24, 0, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0]
        for length: [UInt8] in [[0, 0], [15, 0], [255, 255]] {
            #expect(NetlinkMessage.all(in: (length + head)[...]).isEmpty)
        }
        #expect(NetlinkMessage.all(in: ([16, 0] + head)[...]).count == 1)
    }
}
