// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A host that is killed, at whatever moment, leaves no worker behind.
@Suite struct OrphanTests {
    private static let hosts = 100

    @Test func aHundredKilledHostsLeaveNoWorker() async throws {
        let directory = try TemporaryDirectory()
        let plugin = try CMonitor.build(in: directory, batch: "")
        var generator = SeededGenerator(seed: 7)
        var killed: [Int32] = []
        var sawWorker = 0
        for _ in 0..<OrphanTests.hosts {
            let process = try Kitshell.start(
                ["play", Kitshell.clip, "--plugin", plugin, "--loop", "10"] + CMonitor.grant)
            // From before there is a worker until long after.
            let moment = Int.random(in: 0...3, using: &generator)
            if moment > 0 { #expect(Patience.wait { !process.children.isEmpty }) }
            if moment > 1 {
                #expect(
                    Patience.wait { process.children.contains { ChildProcess.mappedFiles(of: $0).contains(plugin) } })
            }
            if moment > 2 { #expect(Patience.wait { process.hasThread("kit-video") }) }
            if !process.children.isEmpty { sawWorker += 1 }
            process.send(SIGKILL)
            _ = try process.wait()
            killed.append(process.id)
        }
        #expect(sawWorker > OrphanTests.hosts / 2)
        let hosts = Set(killed.map { "\($0)" })
        #expect(Patience.wait { OrphanTests.workers(of: hosts).isEmpty }, "\(OrphanTests.workers(of: hosts))")
    }

    /// Workers name their host in their arguments, so that they are known when it is gone. One that nobody has collected yet has none.
    private static func workers(of hosts: Set<String>) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { id in
            guard Int32(id) != nil, let words = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") else {
                return false
            }
            let arguments = words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return arguments.count == 2 && arguments[0].hasSuffix("kit-worker") && hosts.contains(arguments[1])
        }
    }
}
