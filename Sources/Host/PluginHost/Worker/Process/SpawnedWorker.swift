// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import WorkerWire

/// A started worker process and the three descriptors by which the host knows it. Closed and reaped by its owner, once.
///
/// Thread: the supervisor's, on which it must be started: a worker dies with the thread that spawned it.
struct SpawnedWorker {
    let pid: pid_t
    /// Readable once the process has ended.
    let handle: Descriptor
    let control: Descriptor
    /// What the plugin prints, standard output and standard error together; nil once it is closed.
    var output: Descriptor?

    /// Starts a worker.
    ///
    /// It has default signals, an empty mask, a process group of its own, a clean environment, and no descriptor but null input, its
    /// output and the control socket.
    init(executable: String) throws(SystemFailure) {
        let null = try unsafe Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
        let sockets = try unsafe Descriptor.pair {
            unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, $0)
        }
        let pipe = try unsafe Descriptor.pair { unsafe clinux_pipe2($0, O_CLOEXEC) }
        if fcntl(pipe.0.number, F_SETFL, O_NONBLOCK) != 0 { throw .last() }

        pid = try SpawnedWorker.spawn(
            executable: executable, input: null.number, output: pipe.1.number, control: sockets.1.number)
        control = sockets.0
        output = pipe.0
        do throws(SystemFailure) {
            handle = try Descriptor(clinux_pidfd_open(pid))
        } catch {
            kill(-pid, SIGKILL)
            _ = waitpid(pid, nil, 0)
            throw error
        }
    }

    private static let controlNumber: Int32 = 3

    private static func spawn(
        executable: String, input: Int32, output: Int32, control: Int32
    ) throws(SystemFailure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (from, to) in [(input, 0), (output, STDOUT_FILENO), (output, STDERR_FILENO), (control, controlNumber)] {
            unsafe posix_spawn_file_actions_adddup2(&actions, from, to)
        }
        unsafe clinux_spawn_close_from(&actions, controlNumber + 1)

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
        let status = unsafe withCStrings(["kit-worker", "\(controlNumber)"]) { arguments in
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
