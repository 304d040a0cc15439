// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// What code that runs once in this process can change for everybody else in it: taken before a stranger's library is loaded, compared
/// and put back afterwards.
///
/// Thread: the one that loads; what the floating-point unit does with results is that thread's own.
struct ProcessState {
    private struct Handler: Equatable {
        var function: UInt
        var flags: Int32
    }

    private var handlers: [Int32: sigaction] = [:]
    private let locale: String
    private let floatMode: UInt64
    /// nil if it cannot be known.
    private let umask: mode_t?
    /// Stays open, so that it can be gone back to; nil if it cannot be known.
    private let directory: Descriptor?
    private var limits: [UInt32: rlimit] = [:]

    init() {
        for signal in ProcessState.signals {
            var action = sigaction()
            if unsafe sigaction(signal, nil, &action) == 0 { handlers[signal] = action }
        }
        locale = ProcessState.currentLocale
        floatMode = clinux_float_mode()
        umask = ProcessState.currentUmask
        directory = ProcessState.currentDirectory
        for (resource, _) in ProcessState.resources {
            var limit = rlimit()
            if unsafe getrlimit(__rlimit_resource_t(resource), &limit) == 0 { limits[resource] = limit }
        }
    }

    /// Puts back what has changed since.
    ///
    /// - Returns: what that was, as parts of a sentence that begins with "it changed"; empty if nothing.
    func restore() -> [String] {
        restoreHandlers() + restoreLocale() + restoreFloatMode() + restoreUmask() + restoreDirectory()
            + restoreLimits()
    }

    private func restoreHandlers() -> [String] {
        handlers.sorted { $0.key < $1.key }.compactMap { signal, before in
            var now = sigaction()
            guard unsafe sigaction(signal, nil, &now) == 0,
                ProcessState.comparable(now) != ProcessState.comparable(before)
            else { return nil }
            var before = before
            let isBack = unsafe sigaction(signal, &before, nil) == 0
            let name =
                unsafe clinux_signal_name(signal).map { unsafe "SIG\(String(cString: $0))" } ?? "signal \(signal)"
            return "the handler of \(name)\(ProcessState.unless(isBack))"
        }
    }

    private func restoreLocale() -> [String] {
        let now = ProcessState.currentLocale
        guard now != locale else { return [] }
        let isBack = unsafe setlocale(LC_ALL, locale) != nil
        return ["the locale (\(locale) to \(now))\(ProcessState.unless(isBack))"]
    }

    private func restoreFloatMode() -> [String] {
        guard clinux_float_mode() != floatMode else { return [] }
        clinux_set_float_mode(floatMode)
        return ["how floating-point numbers are computed (it was linked with -ffast-math, most likely)"]
    }

    private func restoreUmask() -> [String] {
        guard let umask, let now = ProcessState.currentUmask, now != umask else { return [] }
        _ = Glibc.umask(umask)
        return ["the umask (\(ProcessState.octal(umask)) to \(ProcessState.octal(now)))"]
    }

    private func restoreDirectory() -> [String] {
        guard let directory, let now = ProcessState.currentDirectory,
            ProcessState.identity(of: now) != ProcessState.identity(of: directory)
        else { return [] }
        return ["the working directory\(ProcessState.unless(fchdir(directory.number) == 0))"]
    }

    private func restoreLimits() -> [String] {
        ProcessState.resources.compactMap { resource, name in
            var now = rlimit()
            guard let before = limits[resource], unsafe getrlimit(__rlimit_resource_t(resource), &now) == 0,
                now.rlim_cur != before.rlim_cur || now.rlim_max != before.rlim_max
            else { return nil }
            var wanted = before
            let isBack = unsafe setrlimit(__rlimit_resource_t(resource), &wanted) == 0
            return "the limit of \(name)\(ProcessState.unless(isBack))"
        }
    }

    private static func unless(_ isBack: Bool) -> String { isBack ? "" : " (which cannot be put back)" }
}

// What there is to compare.
extension ProcessState {
    /// All that a program may handle; the C library keeps 32 and 33 to itself.
    private static let signals = (1...64).filter { ![SIGKILL, SIGSTOP, 32, 33].contains($0) }

    private static let resources: [(UInt32, String)] = [
        (UInt32(RLIMIT_AS.rawValue), "address space"), (UInt32(RLIMIT_CORE.rawValue), "core files"),
        (UInt32(RLIMIT_CPU.rawValue), "processor time"), (UInt32(RLIMIT_DATA.rawValue), "data"),
        (UInt32(RLIMIT_FSIZE.rawValue), "file size"), (UInt32(RLIMIT_NOFILE.rawValue), "open files"),
        (UInt32(RLIMIT_STACK.rawValue), "stacks"),
    ]

    private static func comparable(_ action: sigaction) -> Handler {
        Handler(
            function: unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self),
            flags: action.sa_flags)
    }

    private static var currentLocale: String {
        unsafe setlocale(LC_ALL, nil).map { unsafe String(cString: $0) } ?? ""
    }

    /// Asking the kernel by `umask` would change it for a moment, for every thread.
    private static var currentUmask: mode_t? {
        guard let descriptor = try? unsafe Descriptor(open("/proc/self/status", O_RDONLY | O_CLOEXEC)) else {
            return nil
        }
        let text = unsafe String(unsafeUninitializedCapacity: 512) { buffer in
            max(0, unsafe read(descriptor.number, buffer.baseAddress, buffer.count))
        }
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Umask:") }) else { return nil }
        return mode_t(line.dropFirst("Umask:".count).trimmingPrefix { $0 == "\t" || $0 == " " }, radix: 8)
    }

    private static var currentDirectory: Descriptor? {
        try? unsafe Descriptor(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    private static func identity(of directory: Descriptor) -> [UInt64] {
        var found = stat()
        guard unsafe fstat(directory.number, &found) == 0 else { return [] }
        return [UInt64(found.st_dev), UInt64(found.st_ino)]
    }

    private static func octal(_ mode: mode_t) -> String { "0" + String(mode, radix: 8) }
}
