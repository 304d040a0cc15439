// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import Sessions
internal import WorkerWire

/// How a worker process ended.
enum WorkerEnding: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    /// Somebody else in this process took its status.
    case unknown

    /// - Parameter status: as `waitpid` gives it; nil if it had none.
    init(status: Int32?) {
        guard let status else {
            self = .unknown
            return
        }
        let signal = status & 0x7f
        self = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
    }

    /// The fault that this is, unless it was told to end.
    ///
    /// - Parameter path: the plugin; nil if the worker ended before it greeted, when nothing of a plugin has run.
    func fault(
        during call: String, path: String?, site: CrashSite?, executable: String, lastWords: String
    ) -> StrategyStatus.Fault {
        let words = lastWords.isEmpty ? "" : " It printed: \(lastWords)"
        guard let path else {
            let detail = "\(executable) ended before it greeted (\(summary)); install it and this host together."
            return StrategyStatus.Fault(.error, during: call, detail: detail + words)
        }
        switch self {
        case .killed(SIGSYS):
            let detail =
                "the sandbox ended its worker: \(path) made a thread or a process; threads are granted with --grant NAME:threads."
            return StrategyStatus.Fault(.denied, during: call, signal: "SIGSYS", detail: detail + words)
        case .killed(let number):
            let signal = WorkerEnding.name(of: number)
            var fault = StrategyStatus.Fault(.crash, during: call, signal: signal, detail: "")
            if let site, site.signal == number { fault.locate(site, path: path) }
            let place = fault.symbol.map { " in \($0)" } ?? ""
            fault.detail =
                "\(signal)\(place) ended its worker; run \(path) with --isolation in-process under a debugger to see more."
                + words
            return fault
        case .exited(Int32(KITW_EXIT_PROTOCOL)):
            let detail =
                "its worker found nonsense where this host writes; \(path) must not write to memory that is not its own."
            return StrategyStatus.Fault(.protocol, during: call, detail: detail + words)
        case .exited(let code):
            let detail =
                "it exited with code \(code); \(path) must return an error instead of ending the process."
            return StrategyStatus.Fault(.exit, during: call, detail: detail + words)
        case .unknown:
            let detail =
                "its worker ended and another part of this program took the status; it must not reap children that are not its own."
            return StrategyStatus.Fault(.crash, during: call, detail: detail + words)
        }
    }

    private var summary: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .killed(let signal): WorkerEnding.name(of: signal)
        case .unknown: "nobody knows how"
        }
    }

    private static func name(of signal: Int32) -> String {
        unsafe clinux_signal_name(signal).map { "SIG" + (unsafe String(cString: $0)) } ?? "signal \(signal)"
    }
}
