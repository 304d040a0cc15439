// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

/// A wall clock that jumps by a day and by years, under the command.
@Suite struct WallClockCaseTests {
    /// Loaded before everything else it makes the wall clock jump back and forth, and leaves a mark that it was there.
    private static let shim = """
        #include <fcntl.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static atomic_uint calls;

        static time_t jump(void) { return atomic_fetch_add(&calls, 1) % 2 ? 315360000 : -86400; }

        __attribute__((constructor)) static void mark(void) {
          const char *path = getenv("KIT_TEST_MARK");
          if (path) close(open(path, O_CREAT | O_WRONLY, 0600));
        }

        __attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time) {
          int status = (int)syscall(SYS_clock_gettime, clock, time);
          if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += jump();
          return status;
        }

        __attribute__((visibility("default"))) int gettimeofday(struct timeval *time, void *zone) {
          struct timespec now;
          (void)zone;
          if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
          time->tv_sec = now.tv_sec;
          time->tv_usec = now.tv_nsec / 1000;
          return 0;
        }

        __attribute__((visibility("default"))) time_t time(time_t *result) {
          struct timespec now;
          if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
          if (result) *result = now.tv_sec;
          return now.tv_sec;
        }
        """

    private static func play(_ options: [String], jumps: Bool) throws -> Report {
        let directory = try TemporaryDirectory()
        var environment: [String] = []
        let mark = directory.file("mark")
        if jumps {
            let shim = try CommandLineTool.compile(shim, to: "jumps.so", in: directory)
            environment = ["KIT_TEST_MARK=\(mark)", "LD_PRELOAD=\(shim)"]
        }
        let report = try Report(
            try Kitshell.start(["play", Media.short, "--report", "json"] + options, environment: environment).wait())
        #expect(FileManager.default.fileExists(atPath: mark) == jumps)
        return report
    }

    @Test("B52: a wall clock that jumps changes no figure")
    func figuresStay() throws {
        let options = ["--speed", "max"]
        let (plain, jumping) = (try Self.play(options, jumps: false), try Self.play(options, jumps: true))
        #expect(jumping.status == plain.status)
        for key in ["outcome", "media", "media_time_ms", "completion", "seeks", "loop_count", "stuck", "errors"] {
            #expect(jumping.sessions.first?[key] == plain.sessions.first?[key], "\(key)")
        }
        #expect(jumping.presented == plain.presented)
        #expect(jumping.sessions.first?["stalls"]?["list"] == plain.sessions.first?["stalls"]?["list"])
    }

    @Test("B52: in real time no span is a jump of the wall clock")
    func spansStay() throws {
        let report = try Self.play(["--duration", "600"], jumps: true)
        let session = try #require(report.sessions.first)
        #expect(session["end_reason"] == "until")
        let elapsed = try #require(session["elapsed_ms"]?.number)
        #expect(elapsed >= 600 && elapsed < 3_600_000)
        let states = session["states_ms"]?.object?.members.compactMap(\.value.number) ?? []
        #expect(abs(states.reduce(0, +) - elapsed) < 0.01)
        #expect(session["states_ms"]?["suspended"] == 0)
        #expect((session["first_frame"]?["total_ms"]?.number ?? -1) >= 0)
        #expect((session["stutter"]?["stay_ms"]?.number ?? .infinity) <= elapsed)
    }
}
