// SPDX-License-Identifier: Apache-2.0

import Foundation
import MachineNetwork
import TestSupport
import Testing

/// A message bus of its own, with services that a test puts on it.
private final class PrivateBus {
    static let python = "/usr/bin/python3"
    static let isAvailable =
        CommandLineTool("dbus-daemon").isInstalled && CommandLineTool(python).isInstalled
        && (try? CommandLineTool(python).run(["-c", "import dbusmock, dbus, gi"]).status) == 0

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    let address: String
    private let directory: TemporaryDirectory
    private let daemon: ChildProcess
    private var services: [ChildProcess] = []

    init() throws {
        directory = try TemporaryDirectory()
        address = "unix:path=\(directory.path)/bus"
        daemon = try ChildProcess(
            executable: "/usr/bin/env",
            arguments: [
                "dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address", "--address=\(address)",
            ])
        let daemon = daemon
        try #require(Patience.wait { daemon.output.contains("unix:") })
    }

    /// Starts the mock of NetworkManager that python-dbusmock brings.
    func startManager() throws {
        try start(["-m", "dbusmock", "--system", "--template", "networkmanager"])
    }

    func startHostileManager(_ mode: String) throws {
        try start([PrivateBus.fixtures.appending(path: "hostile-manager.py").path, mode])
        let service = try #require(services.last)
        try #require(Patience.wait { service.output.contains("ready") })
    }

    func change(type: String, metered: Int) throws {
        let script = PrivateBus.fixtures.appending(path: "set-manager.py").path
        try #require(
            Patience.wait { (try? run([script, type, String(metered)]).wait().status) == 0 }, "the mock is not there")
    }

    func stopService() {
        services.removeLast()
    }

    private func start(_ arguments: [String]) throws {
        services.append(try run(arguments))
    }

    private func run(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            executable: "/usr/bin/env",
            arguments: ["DBUS_SYSTEM_BUS_ADDRESS=\(address)", PrivateBus.python] + arguments)
    }
}

extension NetworkManagerBus {
    /// Works until it says that.
    fileprivate func waits(for state: NetworkManagerState?) -> Bool {
        Patience.wait { process() && self.state == state }
    }
}

@Suite(
    .serialized,
    .enabled(
        if: PrivateBus.isAvailable, "dbus-daemon or python3-dbusmock (apt-get install python3-dbusmock) is missing"))
struct NetworkManagerTests {
    @Test func itIsAskedAndItsChangesAreHeard() throws {
        let bus = try PrivateBus()
        try bus.startManager()
        try bus.change(type: "802-11-wireless", metered: 2)
        let manager = try #require(NetworkManagerBus(address: bus.address))
        #expect(manager.state == nil)
        #expect(manager.waits(for: NetworkManagerState(connectionType: "802-11-wireless", metered: 2)))
        try bus.change(type: "gsm", metered: 1)
        #expect(manager.waits(for: NetworkManagerState(connectionType: "gsm", metered: 1)))
    }

    @Test func oneThatComesLateIsFoundAndOneThatGoesIsForgotten() throws {
        let bus = try PrivateBus()
        let manager = try #require(NetworkManagerBus(address: bus.address))
        #expect(manager.process())
        try bus.startManager()
        try bus.change(type: "802-3-ethernet", metered: 4)
        #expect(manager.waits(for: NetworkManagerState(connectionType: "802-3-ethernet", metered: 4)))
        bus.stopService()
        #expect(manager.waits(for: nil))
    }

    @Test func aPropertyOfAWrongTypeIsUnknownAndTheRestCounts() throws {
        let bus = try PrivateBus()
        try bus.startHostileManager("types")
        let manager = try #require(NetworkManagerBus(address: bus.address))
        #expect(manager.waits(for: NetworkManagerState(connectionType: nil, metered: 1)))
    }

    @Test(arguments: ["array", "nothing", "error", "silent"])
    func anAnswerThatIsNoneLeavesItUnknownUntilAnotherManagerComes(mode: String) throws {
        let bus = try PrivateBus()
        try bus.startHostileManager(mode)
        let manager = try #require(NetworkManagerBus(address: bus.address))
        bus.stopService()
        try bus.startManager()
        try bus.change(type: "gsm", metered: 3)
        #expect(manager.waits(for: NetworkManagerState(connectionType: "gsm", metered: 3)))
    }

    @Test func theLossOfTheBusIsNoticed() throws {
        var bus: PrivateBus? = try PrivateBus()
        let manager = try #require(NetworkManagerBus(address: bus?.address))
        #expect(manager.process())
        bus = nil
        #expect(Patience.wait { !manager.process() })
        #expect(bus == nil)
    }

    @Test func whereThereIsNoBusThereIsNone() {
        #expect(NetworkManagerBus(address: "unix:path=/nonexistent") == nil)
        #expect(NetworkManagerBus(address: "no address") == nil)
    }
}
