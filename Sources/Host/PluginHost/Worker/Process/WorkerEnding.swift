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

    fileprivate var summary: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .killed(let signal): WorkerEnding.name(of: signal)
        case .unknown: "nobody knows how"
        }
    }

    fileprivate static func name(of signal: Int32) -> String {
        unsafe clinux_signal_name(signal).map { "SIG" + (unsafe String(cString: $0)) } ?? "signal \(signal)"
    }
}

extension WorkerProcess.Death {
    /// The fault that this is, unless it was told to end.
    ///
    /// - Parameters:
    ///   - path: the plugin; nil if the worker ended before it greeted, when nothing of a plugin has run.
    ///   - function: that it crashed in; nil if that is not known.
    func fault(path: String?, function: String?, executable: String, lastWords: String) -> StrategyStatus.Fault {
        let words = lastWords.isEmpty ? "" : " It printed: \(lastWords)"
        guard let path else {
            let detail =
                "\(executable) ended before it greeted (\(ending.summary)); install it and this host together."
            return StrategyStatus.Fault(.error, during: call, detail: detail + words)
        }
        switch ending {
        case .killed(SIGSYS):
            // The kernel says to nobody which call it was.
            let detail =
                "the sandbox ended its worker: \(path) made a call that is denied while the signal of that was blocked, as the C library does when it makes a thread or a process; threads are granted with --grant NAME:threads."
            return StrategyStatus.Fault(.denied, during: call, signal: "SIGSYS", detail: detail + words)
        case .killed(let number):
            let signal = WorkerEnding.name(of: number)
            let place = function.map { " in \($0)" } ?? ""
            let detail =
                "\(signal)\(place) ended its worker; run \(path) with --isolation in-process under a debugger to see more."
            var fault = StrategyStatus.Fault(.crash, during: call, signal: signal, detail: detail + words)
            fault.address = site.map { "0x\(String($0.address, radix: 16))" }
            fault.symbol = function
            return fault
        case .exited(Int32(KITW_EXIT_PROTOCOL)) where hasRejected:
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
}
