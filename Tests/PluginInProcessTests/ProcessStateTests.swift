// SPDX-License-Identifier: Apache-2.0

import Foundation
import PluginHost
import Sessions
import TestSupport
import Testing

private struct Drift: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// What the plugin does while it is loaded.
    var act: String
    /// What the fault must say.
    var says: String
    /// Whether the state of the process is what it was.
    var isBack: @Sendable () -> Bool
}

private let drifts: [Drift] = [
    Drift(testDescription: "a signal's handler", act: "signal(SIGINT, SIG_IGN);", says: "the handler of SIGINT") {
        var action = sigaction()
        _ = unsafe sigaction(SIGINT, nil, &action)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0
    },
    Drift(testDescription: "the locale", act: "setlocale(LC_ALL, \"C.UTF-8\");", says: "the locale (C to C.UTF-8)") {
        unsafe setlocale(LC_ALL, nil).map { unsafe String(cString: $0) } == "C"
    },
    Drift(testDescription: "the umask", act: "umask(0777);", says: "the umask (022 to 0777)") { umask(0o22) == 0o22 },
    Drift(testDescription: "the working directory", act: "chdir(\"/\");", says: "the working directory") {
        FileManager.default.currentDirectoryPath != "/"
    },
    Drift(
        testDescription: "a limit",
        act: "struct rlimit r; getrlimit(RLIMIT_NOFILE, &r); r.rlim_cur = 64; setrlimit(RLIMIT_NOFILE, &r);",
        says: "the limit of open files"
    ) {
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
        return limit.rlim_cur != 64
    },
]

/// In processes of their own: what is changed there is nobody else's.
@Suite("what loading a plugin changes for the whole process")
struct ProcessStateTests {
    @Test("is put back and told, as a fault and in the log", arguments: drifts.indices)
    func drift(index: Int) async {
        await #expect(processExitsWith: .success) { [index] in
            let drift = drifts[index]
            umask(0o22)
            _ = unsafe chdir("/tmp")
            var fixture = FixturePlugin(
                prelude: """
                    #include <locale.h>
                    #include <signal.h>
                    #include <sys/resource.h>
                    #include <sys/stat.h>
                    __attribute__((constructor)) static void begin(void) { \(drift.act) }
                    """)
            fixture.onEvents = "return KIT_OK;"
            let fed = try Fed(fixture)
            #expect(drift.isBack())
            #expect(fed.finish())
            let faults = fed.monitor.status.faults
            #expect(faults.count == 1)
            #expect(faults.first?.kind == .error)
            #expect(faults.first?.during == "load")
            #expect(faults.first?.detail.contains("changed \(drift.says) for the whole process") == true)
            #expect(fed.monitor.status.health == .running)
            #expect(fed.log.all.contains { $0.hasPrefix("W ") && $0.contains(drift.says) })
        }
    }

    @Test("is told together, and of the entry as of constructors")
    func several() async {
        await #expect(processExitsWith: .success) {
            umask(0o22)
            var fixture = FixturePlugin(prelude: "#include <sys/stat.h>\n#include <signal.h>")
            fixture.entry =
                "umask(0); signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN); *out = &plugin; return KIT_OK;"
            let fed = try Fed(fixture)
            #expect(fed.finish())
            let detail = fed.monitor.status.faults.first?.detail ?? ""
            #expect(detail.contains("the handler of SIGHUP, the handler of SIGTERM and the umask (022 to 00)"))
        }
    }

    @Test("is nothing with a plugin that changes nothing, nor asked of a built-in", arguments: [true, false])
    func nothing(isBuiltIn: Bool) async {
        await #expect(processExitsWith: .success) { [isBuiltIn] in
            umask(0o22)
            var fixture = FixturePlugin(prelude: "#include <sys/stat.h>")
            if isBuiltIn { fixture.entry = "umask(0); *out = &plugin; return KIT_OK;" }
            let fed = try Fed(fixture, origin: isBuiltIn ? .builtIn : .stranger)
            #expect(fed.finish())
            #expect(fed.monitor.status.faults.isEmpty)
            #expect(umask(0) == (isBuiltIn ? 0 : 0o22))
        }
    }

    /// Only the thread that loads is concerned, so that nothing can be looked at afterwards but what was told.
    @Test("includes how floating-point numbers are computed")
    func floatMode() async throws {
        #if arch(x86_64)
            var fixture = FixturePlugin(prelude: "#include <xmmintrin.h>")
            fixture.entry = "_mm_setcsr(_mm_getcsr() | 0x8040); *out = &plugin; return KIT_OK;"
            let fed = try Fed(fixture)
            #expect(fed.finish())
            #expect(fed.monitor.status.faults.first?.detail.contains("floating-point numbers") == true)
        #endif
    }
}
