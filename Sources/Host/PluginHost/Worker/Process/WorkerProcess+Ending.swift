// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import Sessions

// The ways in which a worker ends before it was told to.
extension WorkerProcess {
    /// Milliseconds that the next start waits for the function that it crashed in.
    private static let longestLookUp = 1000

    /// How it ended, once it is reaped.
    struct Death {
        var ending: WorkerEnding
        /// What it was busy with.
        var call: String
        /// nil unless it crashed where it could say so.
        var site: CrashSite?
        /// It ended because of what this host wrote, as it says.
        var hasRejected: Bool
    }

    /// A call passed its deadline.
    func hang(_ call: WorkerCall) {
        let (name, budget) = (lastCall, call.task.budget(order.deadlines))
        hang(
            name,
            name == WorkerTask.ping.name
                ? "it did not answer within \(budget) ms, although nothing was asked of the plugin"
                : "it did not come back from \(name) within \(budget) ms")
    }

    /// It is taken for hanging.
    func hang(_ name: String, _ what: String) {
        readOutput()
        let words = output.lastWords.isEmpty ? "" : " It printed: \(output.lastWords)"
        let detail =
            "\(what) and was killed; run \(order.file.path) with --isolation in-process under a debugger to see where it waits."
        end(StrategyStatus.Fault(.hang, during: name, detail: detail + words))
    }

    /// What it was, or still is, busy with. A decision that is waited for may wait itself, for a call that the plugin has been in since before.
    private var lastCall: String {
        if phase == .stopping { return "stop" }
        let owesDecision = decisions?.isPending == true
        guard let call, !call.task.isPing else { return owesDecision ? "decide" : WorkerTask.ping.name }
        return owesDecision && call.isBehindDecision ? "decide" : call.task.name
    }

    /// It broke a rule of the wire.
    func breakOff(_ fault: WireFault) {
        let detail =
            "the worker of \(order.file.path) broke the protocol: \(fault.description); the plugin may have damaged the memory that it shares with the host."
        end(StrategyStatus.Fault(.protocol, during: lastCall, detail: detail))
    }

    private func end(_ fault: StrategyStatus.Fault) {
        // What is said of one that has ended meanwhile comes too late.
        guard phase == .loading || phase == .serving || phase == .stopping else { return }
        fail(fault, now: RealTime.now())
        call = nil
        kill()
    }

    /// Kills it with everything that it started.
    func kill() {
        if let pid = spawned?.pid { Glibc.kill(-pid, SIGKILL) }
        phase = .killed
        changesAt = nil
    }

    /// It has ended: takes its status and lets go of it.
    func reap(_ worker: SpawnedWorker) {
        for line in output.endOfLine() { lines.write(.info, line) }
        // As long as it is not reaped its number, and that of its group, belongs to nobody else.
        Glibc.kill(-worker.pid, SIGKILL)
        var status: Int32 = 0
        var reaped: pid_t
        repeat { reaped = unsafe waitpid(worker.pid, &status, 0) } while reaped < 0 && errno == EINTR
        let ending = WorkerEnding(status: reaped == worker.pid ? status : nil)
        // Where SIGCHLD is ignored nobody learns how it ended; of one that was told to, that is no fault.
        let isExpected = phase == .killed || (phase == .stopping && (ending == .exited(0) || ending == .unknown))
        let last = lastCall
        call = nil
        spawned = nil
        if isExpected {
            rest()
            return
        }
        let site = rings.flatMap { CrashSite($0.memory) }.flatMap { ending == .killed(signal: $0.signal) ? $0 : nil }
        death = Death(ending: ending, call: last, site: site, hasRejected: rings?.memory.hasRejected == true)
        if let site, hasGreeted, !isLookingUp {
            lookUp(site)
        } else {
            tell(function: nil)
        }
    }

    /// Looks up where it crashed, on a thread of its own: the file may be large, on a slow disk, or gone.
    private func lookUp(_ site: CrashSite) {
        phase = .locating
        changesAt = RealTime.now() + WorkerProcess.longestLookUp
        isLookingUp = true
        PlainThread.start("kit-symbols") { [key, file = order.file] in
            let function = site.function(of: file)
            WorkerSupervisor.shared.run { loop in
                guard let process = loop.process(key) else { return }
                process.isLookingUp = false
                if process.phase == .locating { process.tell(function: function) }
            }
        }
    }

    /// Tells everybody how it ended.
    ///
    /// - Parameter function: that it crashed in; nil if that is not known.
    func tell(function: String?) {
        guard let death = death.take() else { return }
        let fault = death.fault(
            path: hasGreeted ? order.file.path : nil, function: function, executable: order.executable,
            lastWords: output.lastWords)
        // Before it greeted nothing of the plugin has run: it is the worker itself that does not work.
        if hasGreeted { fail(fault, now: RealTime.now()) } else { giveUp(fault) }
        rest()
    }
}
