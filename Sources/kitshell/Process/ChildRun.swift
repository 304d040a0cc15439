// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import PlayerKit
internal import Synchronization

/// A kitshell that this one runs for a part of its own task. It ends when this one does.
///
/// It is a process group of its own, so that an interrupt from the terminal reaches it once: through `interrupt`.
///
/// Thread: `init` and `finish` the main one, since it dies with the thread that started it; `interrupt` any.
final class ChildRun: Sendable {
    /// How it ended.
    struct Ending {
        /// What it wrote to standard output.
        var output: [UInt8]
        /// nil if a signal ended it.
        var status: Int32?
        /// The signal's number, if one ended it.
        var signal: Int32?
    }

    /// Tells it whose part it is.
    private static let parentVariable = "KITSHELL_PARENT"

    private let output: Int32
    /// nil once it has been collected: the number may be another's then.
    private let process: Mutex<pid_t?>

    /// Starts it with the streams of this process, but for its input and output.
    ///
    /// - Parameter input: what it reads.
    init(arguments: [String], input text: String) throws(PlayerError) {
        let (input, output) = (try ChildRun.makePipe(), try ChildRun.makePipe())
        let pid: pid_t
        do throws(PlayerError) {
            defer {
                close(input.read)
                close(output.write)
            }
            pid = try ChildRun.spawn(arguments, input: input.read, output: output.write)
        } catch {
            close(input.write)
            close(output.read)
            throw error
        }
        self.output = output.read
        process = Mutex(pid)
        // It reads all of it before it does anything else; one that ends before leaves a pipe that takes no more.
        StandardStreams.write(text, to: input.write)
        close(input.write)
    }

    deinit { close(output) }

    /// Ends it as an interrupt does: with what it has seen so far.
    func interrupt() {
        process.withLock { if let pid = $0 { _ = kill(pid, SIGINT) } }
    }

    /// Waits for its end.
    func finish() -> Ending {
        let bytes = readAll()
        guard let pid = process.withLock({ $0 }) else { return Ending(output: bytes) }
        var info = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return process.withLock { process in
            var status: Int32 = 0
            unsafe waitpid(pid, &status, 0)
            process = nil
            let signal = status & 0x7f
            return Ending(
                output: bytes, status: signal == 0 ? status >> 8 & 0xff : nil, signal: signal == 0 ? nil : signal)
        }
    }

    private func readAll() -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(output, $0.baseAddress, $0.count) }
            if count > 0 {
                all += chunk[..<count]
            } else if count == 0 || errno != EINTR {
                return all
            }
        }
    }

    private static func makePipe() throws(PlayerError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        let result = unsafe ends.withUnsafeMutableBufferPointer { unsafe clinux_pipe2($0.baseAddress, O_CLOEXEC) }
        if result != 0 { throw failure(errno) }
        return (ends[0], ends[1])
    }

    private static func spawn(_ arguments: [String], input: Int32, output: Int32) throws(PlayerError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, StandardStreams.output)
        unsafe clinux_spawn_close_from(&actions, StandardStreams.error + 1)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        // An interrupt that comes before it can take one waits for that. Another group may not stop it for writing to the terminal.
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        for signal in [SIGINT, SIGTERM, SIGTTOU] { unsafe sigaddset(&blocked, signal) }
        unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

        var pid = pid_t()
        unsafe setenv(parentVariable, "\(getpid())", 1)
        let words = unsafe (["kitshell"] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        let status = unsafe posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, words, environ)
        if status != 0 { throw failure(status) }
        return pid
    }

    private static func failure(_ number: Int32) -> PlayerError {
        PlayerError(
            .illegalState, "a run could not be started: \(SystemReason.of(number))",
            hint: "Free memory or processes, or play each strategy by itself with --lifecycle.")
    }

    /// Has this process end with the one that it is a part of, if it is one's.
    static func tieToParent() {
        guard let text = unsafe getenv(parentVariable).map({ unsafe String(cString: $0) }), let parent = pid_t(text)
        else { return }
        unsafe unsetenv(parentVariable)
        clinux_signal_at_parents_end(SIGKILL)
        // It may have ended before that.
        if getppid() != parent { _exit(ExitStatus.terminated.rawValue) }
    }
}
