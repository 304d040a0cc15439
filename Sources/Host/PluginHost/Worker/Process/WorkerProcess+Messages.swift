// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MediaCore
internal import PlayerRuntime
internal import PluginABI
internal import Sessions
internal import WorkerWire

// What comes out of a worker: messages and print.
extension WorkerProcess {
    /// Messages and kilobytes of print that are read before the other workers have their turn.
    private static let messagesAtATime = 64
    /// Messages that are read of a worker that has ended; what it started, if it may start something, may go on writing.
    private static let lastMessages = 4096
    /// Denials that one process may tell of: as many as there are rules, and the paths of some opens (`Worker/denial.c`).
    private static let mostDenials = 256
    private static let outputAtATime = 64 * 1024

    var pollEntries: [pollfd] {
        [
            pollfd(fd: phase != .killed ? spawned?.bell?.number ?? -1 : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: spawned?.output?.number ?? -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: spawned?.handle.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// Before the supervisor sleeps: the worker is to wake it.
    ///
    /// - Returns: false if there is something to read already.
    func fallAsleep() -> Bool {
        guard phase != .killed, spawned != nil, let rings else { return true }
        rings.isAsleep = true
        return !rings.hasMessage
    }

    /// Reads what is there.
    ///
    /// - Parameter ready: which of `pollEntries` are.
    func read(_ ready: [Bool]) {
        rings?.isAsleep = false
        guard ready.count == 3, let spawned else { return }
        if ready[0] { self.spawned?.answerBell() }
        let hasEnded = ready[2]
        readMessages(limit: hasEnded ? WorkerProcess.lastMessages : WorkerProcess.messagesAtATime)
        if ready[1] || hasEnded { readOutput() }
        if hasEnded { reap(spawned) }
    }

    private func readMessages(limit: Int) {
        guard let rings else { return }
        var count = 0
        do throws(WireFault) {
            while count < limit, phase != .killed, try rings.next(into: &buffer) {
                count += 1
                try handle(try WorkerMessage(buffer))
            }
        } catch {
            breakOff(error)
        }
    }

    /// Sends a message without waiting.
    func send(_ message: [UInt8]) {
        do throws(WireFault) {
            try rings?.write(message)
        } catch {
            breakOff(error)
        }
    }

    func readOutput() {
        guard let descriptor = spawned?.output?.number else { return }
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: WorkerProcess.outputAtATime) { buffer, filled in
            count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            filled = max(0, count)
        }
        if count > 0 {
            for line in output.append(bytes[...]) { lines.write(.info, line) }
        } else if count == 0 {
            spawned?.output = nil
        }
    }

    private func handle(_ message: WorkerMessage) throws(WireFault) {
        if case .hello(let pid, let major, let minor) = message.content {
            try greet(pid: pid, major: major, minor: minor, call: message.call)
            return
        }
        guard hasGreeted else { throw WireFault("it did not greet first") }
        if case .log(let level, let text) = message.content {
            lines.write(level, text)
            return
        }
        if case .action(let body) = message.content {
            ask(body, of: message.instance)
            return
        }
        if case .denied(let what) = message.content {
            try denied(what)
            return
        }
        if case .errorText(let text) = message.content, message.call == 0 {
            lines.write(.warn, text)
            return
        }
        guard let call, message.call == call.id, message.instance == call.task.instance?.number ?? 0 else {
            throw WireFault("it answered a call that was not made")
        }
        switch (message.content, call.task) {
        case (.errorText(let text), _): self.call?.said = text
        case (.report(let report), .events(let feed)): feed.take(report)
        case (.walls(let walls), .load):
            // A second one would be the plugin's own.
            guard !hasWalls else { throw WireFault("it told twice what keeps the plugin in") }
            hasWalls = true
            keptIn(by: walls)
        case (.loaded(let outcome), .load):
            guard hasWalls || outcome.stage == KITW_STAGE_IDENTITY else {
                throw WireFault("it loaded the plugin without a word on what keeps it in")
            }
            finish(call)
            loaded(outcome, words: call.words)
        case (.created(let result), .create(let instance)):
            finish(call)
            created(instance, result, words: call.words)
        case (.eventsDone(let result, let refused), .events(let feed)):
            finish(call)
            feed.noteCut(UInt64(refused))
            handled(feed, result, words: call.words)
        case (.destroyed(let refused), .destroy(let instance)):
            finish(call)
            if refused > 0 { instance.record.change { $0.reportsCut += UInt64(refused) } }
            forget(instance)
            departed = instance
        case (.pong, .ping): finish(call)
        default: throw WireFault("its answer to \(call.task.name) is one to something else")
        }
    }

    /// An instance asks for an action; one that is gone by now is not heard. The worker has answered it by the same rules.
    private func ask(_ action: WireAction, of number: UInt32) {
        guard let instance = instances[number], instance.phase == .ready else { return }
        let result = instance.actions?.request(
            session: action.session, sequence: action.sequence, action: action.action, argument: action.argument)
        if result == .denied {
            instance.add(StrategyStatus.Fault(denied: instance.name, path: order.file.path), isFinal: false)
        }
    }

    /// The sandbox said no. Whose doing it was is known while a call runs; what happens outside of one concerns them all.
    ///
    /// A worker tells of few; one that tells of many has lost its memory to the plugin.
    private func denied(_ what: String) throws(WireFault) {
        denials += 1
        guard denials <= WorkerProcess.mostDenials else { throw WireFault("it tells of more denials than it may") }
        let fault = StrategyStatus.Fault(sandboxDenied: what, path: order.file.path, during: call?.task.name ?? "idle")
        let concerned = call?.task.instance.map { [$0] } ?? Array(instances.values)
        for instance in concerned { instance.add(fault, isFinal: false) }
    }

    private func finish(_ finished: WorkerCall) {
        finished.task.instance?.record.change { $0.calls += 1 }
        call = nil
        quietSince = RealTime.now()
    }

    private func greet(pid: Int32, major: UInt32, minor: UInt32, call id: UInt64) throws(WireFault) {
        guard !hasGreeted, id == 0, pid == spawned?.pid else { throw WireFault("its greeting is not its own") }
        guard major == UInt32(KIT_ABI_MAJOR), minor == UInt32(KIT_ABI_MINOR) else {
            throw WireFault(
                "\(order.executable) has ABI \(major).\(minor), this host \(KIT_ABI_MAJOR).\(KIT_ABI_MINOR); install both together"
            )
        }
        hasGreeted = true
        let message = WireWriter.load(order.file, grants: order.grants)
        guard message.fits, let call else { throw WireFault("the path of the plugin does not fit a message") }
        send(message.message(call: call.id, instance: 0))
    }

    private func keptIn(by walls: WorkerMessage.Walls) {
        let sandbox = Sandbox(walls: walls.standing, missing: walls.missing, grants: order.grants)
        if order.record.sandbox != sandbox, !sandbox.gap.isEmpty {
            lines.write(.warn, "\(order.file.path) is only partly sandboxed: \(sandbox.gap)")
        }
        order.record.sandbox = sandbox
    }

    private func loaded(_ outcome: WorkerMessage.Loaded, words: String) {
        if outcome.stage == KITW_STAGE_DONE, outcome.result == .ok {
            order.record.interest = outcome.interest
            if phase == .loading { phase = .serving }
            return
        }
        giveUp(
            StrategyStatus.Fault(
                .refused, during: "load",
                detail:
                    "\(order.file.path) cannot be loaded: \(outcome.detail)\(words). \(hint(stage: outcome.stage))")
        )
        if phase == .loading { stop(now: RealTime.now()) }
    }

    private func hint(stage: Int) -> String {
        switch stage {
        case KITW_STAGE_IDENTITY: "Start again to have the new file inspected."
        case KITW_STAGE_SANDBOX:
            "A plugin that is to run without one has to be granted all: --grant NAME:all; kitshell doctor tells what is missing here."
        case KITW_STAGE_OPEN: order.file.loaderHint
        case KITW_STAGE_SYMBOL: "The plugin itself must define and export kit_plugin_entry_v1."
        default: "Its author has to mend it; kitshell plugin inspect shows what the file says of itself."
        }
    }

    private func created(_ instance: WorkerInstance, _ result: KitResult, words: String) {
        guard result.meaning == .ok else {
            let detail = "create of \(instance.name) answered \(result)\(words); check its options."
            drop(instance, StrategyStatus.Fault(.error, during: "create", detail: detail))
            return
        }
        begin(instance)
    }

    /// Everything is written down before whoever waits for the batch is told.
    private func handled(_ feed: EventFeed, _ result: KitResult, words: String) {
        if result.isFailure {
            let consequence =
                result == .fatal
                ? "it is not called again." : "the events of that batch may be missing from its reports."
            feed.instance.add(
                StrategyStatus.Fault(
                    .error, during: "on_events",
                    detail: "on_events of \(feed.instance.name) answered \(result)\(words); \(consequence)"),
                isFinal: result == .fatal)
        }
        feed.acknowledge()
        if result == .fatal {
            forget(feed.instance)
            feed.instance.end()
        }
    }
}
