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
        let hosts = Set(killed)
        #expect(Patience.wait { ChildProcess.workers(of: hosts).isEmpty }, "\(ChildProcess.workers(of: hosts))")
    }
}
