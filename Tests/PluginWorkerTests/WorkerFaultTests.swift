// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaCore
import PluginHost
import Sessions
import TestSupport
import Testing

@Suite("A plugin that fails in a worker")
struct WorkerFaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var what: String
        var defines: [String]
        var kind: StrategyStatus.Fault.Kind
        var during: String
        var signal: String?
        var says = ""

        var testDescription: String { what }
    }

    static let cases = [
        Case(
            what: "null write in the third batch", defines: ["AT_EVENTS=if (self->batches == 3) crash()"], kind: .crash,
            during: "on_events", signal: "SIGSEGV", says: "--isolation in-process under a debugger"),
        Case(
            what: "crash in a constructor", defines: ["AT_LOAD=crash()"], kind: .crash, during: "load",
            signal: "SIGSEGV"),
        Case(
            what: "crash in the entry", defines: ["AT_ENTRY=crash()"], kind: .crash, during: "load", signal: "SIGSEGV"),
        Case(
            what: "crash in create", defines: ["AT_CREATE=crash()"], kind: .crash, during: "create", signal: "SIGSEGV"),
        Case(
            what: "abort with words", defines: ["AT_EVENTS=fputs(\"assertion x\", stderr); abort()"], kind: .crash,
            during: "on_events", signal: "SIGABRT", says: "It printed: assertion x"),
        Case(
            what: "kill -9 in mid-call", defines: ["AT_EVENTS=kill(getpid(), SIGKILL)"], kind: .crash,
            during: "on_events",
            signal: "SIGKILL"),
        Case(
            what: "exit(0)", defines: ["AT_EVENTS=exit(0)"], kind: .exit, during: "on_events",
            says: "exited with code 0;"),
        Case(
            what: "_exit(3)", defines: ["AT_EVENTS=_exit(3)"], kind: .exit, during: "on_events",
            says: "exited with code 3;"),
        Case(
            what: "the exit code of a worker that found nonsense", defines: ["AT_EVENTS=_exit(76)"], kind: .exit,
            during: "on_events", says: "exited with code 76;"),
        Case(
            what: "stack overflow", defines: ["AT_EVENTS=volatile char big[1 << 30]; big[0] = 1"], kind: .crash,
            during: "on_events", signal: "SIGSEGV"),
        Case(
            what: "entry refuses", defines: ["AT_ENTRY=complain(0, KIT_CONFIG, \"not here\"); return KIT_CONFIG"],
            kind: .refused, during: "load", says: "not here"),
        Case(
            what: "null slot", defines: ["TABLE=sizeof(kit_plugin_v1), 0, create, 0, get_interface"], kind: .refused,
            during: "load", says: "null slot"),
        Case(
            what: "short table", defines: ["TABLE=8, 0, create, destroy, get_interface"], kind: .refused,
            during: "load",
            says: "8 bytes long"),
        Case(
            what: "create refuses", defines: ["AT_CREATE=complain(0, KIT_CONFIG, \"step\"); return KIT_CONFIG"],
            kind: .error,
            during: "create", says: "KIT_CONFIG: step"),
    ]

    @Test(arguments: cases)
    func isNamed(_ tested: Case) throws {
        let fixture = try WorkerFixture(tested.defines)
        let monitor = try fixture.monitor()
        for _ in 1...3 {
            fixture.deliver(1, to: monitor)
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        }
        let status = monitor.status
        #expect(status.health != .running)
        let fault = try #require(status.faults.first)
        #expect(fault.kind == tested.kind)
        #expect(fault.during == tested.during)
        #expect(fault.signal == tested.signal)
        #expect(tested.says.isEmpty || fault.detail.contains(tested.says), "\(fault.detail)")
        #expect(status.faults.count == 1)
        monitor.destroy()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }

    @Test(arguments: [
        ("AT_EVENTS=hang()", "on_events"), ("AT_CREATE=hang()", "create"), ("AT_LOAD=hang()", "load"),
        ("AT_EVENTS=for (;;)", "on_events"),
    ])
    func isKilledWhenItHangs(define: String, during: String) throws {
        var deadlines = WorkerFixture.patientDeadlines
        switch during {
        case "load": deadlines.load = 50
        case "create": deadlines.create = 50
        default: deadlines.onEvents = 50
        }
        let fixture = try WorkerFixture([define], deadlines: deadlines)
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.map(\.kind) == [.hang])
        #expect(monitor.status.faults.first?.during == during)
        #expect(monitor.status.health == .quarantined)
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
    }

    @Test("a crash says where it was, as far as the plugin's symbols tell", arguments: [true, false])
    func place(isStripped: Bool) throws {
        let fixture = try WorkerFixture(["AT_EVENTS=*(volatile int *)0x18 = 1"])
        if isStripped { #expect(try CommandLineTool("strip").run([fixture.file.path]).status == 0) }
        let place = WorkerPlace(
            try PluginFile(PluginInspector.inspect(path: fixture.file.path), origin: .stranger),
            executable: try WorkerFixture.executable.get(), deadlines: WorkerFixture.patientDeadlines,
            restarts: WorkerFixture.once
        ) { _, _ in }
        let monitor = try place.makeMonitor(
            name: "m", options: [], controller: ControllerID(rawValue: 1), actions: .nothing)
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        let fault = try #require(monitor.status.faults.first)
        #expect(fault.signal == "SIGSEGV" && fault.address == "0x18")
        if isStripped {
            #expect(fault.symbol == nil)
        } else {
            #expect(fault.symbol?.hasPrefix("on_events+0x") == true)
            #expect(fault.detail.hasPrefix("SIGSEGV in on_events+0x"))
        }
    }

    /// A section table costs nobody more than its share, whatever it claims.
    @Test(
        "a crash of a file with 65,000 symbol tables, or of one that changed since, names no function",
        arguments: [65_000, 4000, 0])
    func hostileSections(count: Int) throws {
        let fixture = try WorkerFixture(
            ["AT_EVENTS=if (batch->event_count == 2) crash()"],
            damage: { path in
                guard count > 0 else { return }
                var editor = ElfEditor(try ElfEditor.contents(of: path))
                let (place, size) = (editor.bytes.count, editor.bytes.count + count * 64)
                editor.bytes += Array(repeating: 0, count: count * 64)
                for index in 0..<count {
                    let header = place + index * 64
                    editor.set(UInt32(2), at: header + 4)  // a symbol table, of all of the file
                    editor.set(UInt64(size), at: header + 32)
                    editor.set(UInt64(24), at: header + 56)
                }
                editor.set(UInt64(place), at: 40)
                editor.set(UInt16(count), at: 60)
                try Data(editor.bytes).write(to: URL(filePath: path))
            })
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        if count == 0 {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: fixture.file.path)
        }
        fixture.deliver(2, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        let fault = try #require(monitor.status.faults.first)
        #expect(fault.signal == "SIGSEGV" && fault.address == "0x0" && fault.symbol == nil)
    }

    @Test func takesItsOwnDescriptorsOnly() throws {
        let fixture = try WorkerFixture([
            "AT_EVENTS=for (int i = 3; i < 64; i++) if (i != KITW_BELL_DESCRIPTOR && fcntl(i, F_GETFD) >= 0) say(\"inherited\");"
                + "for (int i = 0; i < 3; i++) close(i)"
        ])
        let monitor = try fixture.monitor()
        for _ in 1...3 { fixture.deliver(1, to: monitor) }
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(3))
        #expect(monitor.status.faults.isEmpty)
        #expect(fixture.log.isEmpty)
    }

    /// What it has done is found when its time is over.
    @Test func mayBeSlowToBeHeardOnceItHasClosedTheBell() throws {
        var deadlines = WorkerFixture.patientDeadlines
        deadlines.onEvents = 300
        let fixture = try WorkerFixture(["AT_EVENTS=close(KITW_BELL_DESCRIPTOR)"], deadlines: deadlines)
        let monitor = try fixture.monitor()
        for _ in 1...3 { fixture.deliver(1, to: monitor) }
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(fixture.count["events"] == .int(3))
        #expect(monitor.status.faults.isEmpty)
    }

    @Test func isNotStartedAgain() throws {
        let fixture = try WorkerFixture(["AT_CREATE=crash()"])
        let monitor = try fixture.monitor()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.health == .quarantined)
        let error = #expect(throws: PluginError.self) { try fixture.monitor("second") }
        #expect(error?.cause.contains("SIGSEGV") == true)
    }

    @Test(arguments: 1...4)
    func failsEveryInstanceThatIsAskedForWhileItDies(round: Int) throws {
        let fixture = try WorkerFixture(["AT_LOAD=usleep(20000); crash()"])
        var monitors: [any MonitorInstance] = []
        // The last ones are asked for before anybody knows of the crash, and come to a worker that has ended.
        while let monitor = try? fixture.monitor() {
            monitors.append(monitor)
            fixture.deliver(1, to: monitor)
        }
        for monitor in monitors {
            #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
            #expect(monitor.status.health == .quarantined)
            #expect(monitor.status.eventsDropped == 1)
        }
    }

    @Test func losesOnlyItsOwnInstances() throws {
        let bad = try WorkerFixture(["AT_EVENTS=crash()"])
        let good = try WorkerFixture()
        let (first, second, other) = (try bad.monitor("a"), try bad.monitor("b"), try good.monitor())
        bad.deliver(1, to: first)
        #expect(first.finish(withinMilliseconds: WorkerFixture.patience))
        good.deliver(9, to: other)
        #expect(other.finish(withinMilliseconds: WorkerFixture.patience))
        #expect(first.status.health == .quarantined)
        #expect(second.status.health == .quarantined)
        #expect(good.count["events"] == .int(9))
        #expect(other.status.faults.isEmpty)
    }

    @Test func takesWhatItStartedWithIt() throws {
        let fixture = try WorkerFixture(
            [
                "AT_EVENTS=int p = fork(); if (p == 0) hang(); char t[32]; sprintf(t, \"%d\", p); say(t); crash()"
            ], grants: .everything)
        let monitor = try fixture.monitor()
        fixture.deliver(1, to: monitor)
        #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
        let child = try #require(fixture.log.first.flatMap { pid_t($0) })
        #expect(
            WorkerFixture.wait {
                // Gone, or a zombie of whoever adopts orphans here.
                let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
                return state.map { $0.contains(") Z") } ?? true
            })
    }

    @Test func isNoFaultWhereTheKernelReaps() async {
        await #expect(processExitsWith: .success) {
            let fixture = try WorkerFixture()
            signal(SIGCHLD, SIG_IGN)
            for _ in 1...2 {
                let monitor = try fixture.monitor()
                fixture.deliver(1, to: monitor)
                #expect(monitor.finish(withinMilliseconds: WorkerFixture.patience))
                monitor.destroy()
                #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
            }
        }
    }

    @Test func isRefusedWhenTheFileWasChanged() throws {
        let fixture = try WorkerFixture(["AT_LOAD=puts(\"ran\")"])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: fixture.file.path)
        let monitor = try fixture.monitor()
        #expect(fixture.place.waitUntilEnded(withinMilliseconds: WorkerFixture.patience))
        #expect(monitor.status.faults.map(\.kind) == [.refused])
        #expect(monitor.status.faults.first?.detail.contains("changed after it was inspected") == true)
        #expect(!fixture.log.contains("ran"))
    }
}
