// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import MediaCore
internal import WorkerWire

/// A started worker process and the descriptors by which the host knows it. Closed and reaped by its owner, once.
///
/// Thread: the supervisor's, on which it must be started: a worker dies with the thread that spawned it.
struct SpawnedWorker {
    let pid: pid_t
    /// Readable once the process has ended.
    let handle: Descriptor
    /// Readable once the worker has woken this side; nil once it has closed its end. This end is nobody else's, so that nothing that is
    /// done to the other one makes reading it wait.
    private(set) var bell: Descriptor?
    /// What the plugin prints, standard output and standard error together; nil once it is closed.
    var output: Descriptor?

    /// Starts a worker.
    ///
    /// It has default signals, an empty mask, a process group of its own, a clean environment, and no descriptor but null input, its
    /// output, the shared memory and the bell.
    init(executable: String, memory: SharedMemory) throws(SystemFailure) {
        let null = try unsafe Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
        let pipe = try unsafe Descriptor.pair { unsafe clinux_pipe2($0, O_CLOEXEC) }
        let bell = try unsafe Descriptor.pair { unsafe clinux_pipe2($0, O_CLOEXEC) }
        for end in [pipe.0, bell.0, bell.1] where fcntl(end.number, F_SETFL, O_NONBLOCK) != 0 { throw .last() }

        self.bell = bell.0
        pid = try SpawnedWorker.spawn(
            executable: executable,
            descriptors: [
                (null.number, STDIN_FILENO), (pipe.1.number, STDOUT_FILENO), (pipe.1.number, STDERR_FILENO),
                (memory.descriptor.number, Int32(KITW_MEMORY_DESCRIPTOR)),
                (bell.1.number, Int32(KITW_BELL_DESCRIPTOR)),
            ])
        output = pipe.0
        do throws(SystemFailure) {
            handle = try Descriptor(clinux_pidfd_open(pid))
        } catch {
            kill(-pid, SIGKILL)
            _ = waitpid(pid, nil, 0)
            throw error
        }
    }

    /// Takes what the worker has rung.
    mutating func answerBell() {
        guard let number = bell?.number else { return }
        let count = unsafe withUnsafeTemporaryAllocation(byteCount: 512, alignment: 8) { buffer in
            unsafe read(number, buffer.baseAddress, buffer.count)
        }
        if count == 0 { bell = nil }
    }

    private static func spawn(
        executable: String, descriptors: [(from: Int32, to: Int32)]
    ) throws(SystemFailure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let free = Int32(KITW_BELL_DESCRIPTOR) + 1
        var copies: [Descriptor] = []
        for (from, to) in descriptors {
            var source = from
            // A source must not have the number of another's target.
            if source < free {
                copies.append(try Descriptor(fcntl(source, F_DUPFD_CLOEXEC, free)))
                source = copies[copies.count - 1].number
            }
            let status = unsafe posix_spawn_file_actions_adddup2(&actions, source, to)
            if status != 0 { throw SystemFailure(number: status) }
        }
        defer { copies.removeAll() }
        unsafe clinux_spawn_close_from(&actions, free)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

        var pid: pid_t = 0
        let status = unsafe withCStrings(["kit-worker", "\(getpid())"]) { arguments in
            unsafe withCStrings(environment()) { environment in
                unsafe posix_spawn(&pid, executable, &actions, &attributes, arguments, environment)
            }
        }
        if status != 0 { throw SystemFailure(number: status) }
        return pid
    }

    /// What a plugin may know of the host's environment: how to format text, nothing else.
    private static func environment() -> [String] {
        ["LANG", "LC_ALL", "LC_CTYPE", "LC_NUMERIC", "TZ"].reduce(into: ["SWIFT_BACKTRACE=enable=no"]) { list, name in
            if let value = unsafe getenv(name) { list.append("\(name)=\(unsafe String(cString: value))") }
        }
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(copies + [nil])
    }
}
