// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import MachineNetwork
import MediaCore
import TestSupport
import Testing

/// A thread with a network of its own, where interfaces can be made and unmade.
private enum Namespace {
    /// Whether this user may make one.
    static let isAvailable: Bool = CommandLineTool("ip").isInstalled && ((try? run { true }) ?? false)

    /// Runs `body` on such a thread and waits for it.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var result: Swift.Result<Result, any Error>?
        Thread.detachNewThread {
            unsafe result = .init {
                try enter()
                return try body()
            }
            done.signal()
        }
        done.wait()
        return try #require(unsafe result).get()
    }

    private static func enter() throws {
        typealias Unshare = @convention(c) (Int32) -> Int32
        guard let symbol = unsafe dlsym(nil, "unshare") else { throw failure("there is no unshare") }
        let newNetwork: Int32 = 0x4000_0000
        guard unsafe unsafeBitCast(symbol, to: Unshare.self)(newNetwork) == 0 else {
            throw failure("a network namespace cannot be made: error \(errno)")
        }
    }

    private static func failure(_ text: String) -> CommandLineTool.Failure {
        CommandLineTool.Failure(description: text)
    }

    static func ip(_ line: String) throws {
        let location = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        let arguments = line.split(separator: " ").map(String.init)
        let outcome = try ChildProcess(executable: try #require(location), arguments: arguments).wait()
        guard outcome.status == 0 else {
            throw failure("ip \(line): \(outcome.errors)")
        }
    }
}

@Suite(.enabled(if: Namespace.isAvailable, "this user cannot make a network namespace, or there is no ip command"))
struct NetworkNamespaceTests {
    @Test func whatHappensToInterfacesAndRoutesIsTold() throws {
        try Namespace.run {
            let fake = try FakeInterfaces()
            try fake.add("wan0", uevent: "DEVTYPE=wwan\n")
            try fake.add("wlan0", directories: ["wireless"])
            let watch = NetworkWatch(interfaces: fake.interfaces, busAddress: "unix:path=/nonexistent")
            #expect(watch.state == NetworkState(.none))
            let told = Told()
            watch.start { told.add($0.type) }
            let steps: [(lines: [String], type: NetworkType)] = [
                (
                    [
                        "link set lo up", "link add eth0 type veth peer name far0", "link set eth0 up",
                        "link set far0 up", "addr add 10.1.0.2/24 dev eth0",
                        "route add default via 10.1.0.1 metric 600",
                    ], .ethernet
                ),
                (["link set far0 down"], .none),
                (["link set far0 up"], .ethernet),
                (
                    [
                        "link add wan0 type veth peer name far1", "link set wan0 up", "link set far1 up",
                        "addr add 10.2.0.2/24 dev wan0", "route add default via 10.2.0.1 metric 50",
                    ], .cellular
                ),
                (["route del default via 10.2.0.1"], .ethernet),
                (
                    [
                        "link add wlan0 type veth peer name far2", "link set wlan0 up", "link set far2 up",
                        "-6 addr add fd00:3::2/64 dev wlan0 nodad", "-6 route add default via fd00:3::1 metric 7",
                    ], .wifi
                ),
                (["link del wlan0"], .ethernet),
                (["link del eth0"], .none),
            ]
            for step in steps {
                for line in step.lines { try Namespace.ip(line) }
                #expect(Patience.wait { told.last == step.type }, "after \(step.lines.last ?? "")")
                #expect(watch.state == NetworkState(step.type))
            }
            watch.stop()
        }
    }
}

/// What a watch told, in order.
private final class Told: @unchecked Sendable {
    // Guarded by the lock.
    private var types: [NetworkType] = []
    private let lock = NSLock()

    func add(_ type: NetworkType) {
        lock.withLock { types.append(type) }
    }

    var last: NetworkType? { lock.withLock { types.last } }
}
