// SPDX-License-Identifier: Apache-2.0

internal import MediaCore
internal import PlayerRuntime
internal import PluginABI
internal import Sessions
internal import WorkerWire

/// The worker of a plugin and everything the host asks of it, one call at a time. A worker that fails is started again, with the same
/// instances, until it has failed too often.
///
/// Thread: the supervisor's.
final class WorkerProcess {
    enum Phase {
        /// Waits for the greeting, then for the plugin.
        case loading
        case serving
        /// Was told to end.
        case stopping
        /// Was killed; not yet reaped.
        case killed
        /// Has crashed and is gone; where it did is being looked up, until `changesAt` at the latest.
        case locating
        /// Has failed and is started again at `changesAt`.
        case backoff
        /// Is not started again.
        case ended
    }

    /// What a process is started with.
    struct Order: Sendable {
        var executable: String
        var file: PluginFile
        var grants: PluginGrants
        var deadlines: CallDeadlines
        var log: HostServices.Log
        var record: WorkerRecord
        var restarts: RestartPolicy
        /// Where its faults are remembered; nil: nowhere.
        var health: PluginHealth?
    }

    let key: UInt64
    let order: Order
    var phase = Phase.loading
    var hasGreeted = false
    /// It has told what keeps the plugin in.
    var hasWalls = false
    var spawned: SpawnedWorker?
    /// nil before it is started.
    var rings: MessageRings?
    /// Where decisions are asked for; nil before it is started.
    var decisions: DecisionPlace?
    var call: WorkerCall?
    /// When it has answered its last call.
    var quietSince = RealTime.now()
    /// The message that was read last.
    var buffer: [UInt8] = []
    var output = WorkerOutput()
    let lines: LineLimit
    /// The instances it knows or will know.
    var instances: [UInt32: WorkerInstance] = [:]
    /// The one that was destroyed last: whoever hears of what happens once there is none.
    var departed: WorkerInstance?
    /// How it has ended, while where it crashed is looked up.
    var death: Death?
    /// A look-up runs; it may be one that nobody waits for any more.
    var isLookingUp = false
    /// Calls that the sandbox denied it, as far as it told.
    var denials = 0
    /// When it is killed if it has not ended by then, or started again.
    var changesAt: RealTime?
    var restarts: RestartPolicy
    /// Once it has ended it is started again so many milliseconds later; nil: not at all.
    var restartDelay: Int?

    private var tasks: [WorkerTask] = []
    private var feeds: [EventFeed] = []
    private var nextCall: UInt64 = 1
    private var stopsWhenIdle = false
    private let encoder = EventBatchEncoder.forWire()

    init(key: UInt64, order: Order) {
        self.key = key
        self.order = order
        lines = LineLimit(log: order.log)
        restarts = order.restarts
    }

    var hasEnded: Bool { phase == .ended }

    /// When `advance` has to be called at the latest.
    var deadline: RealTime? {
        phase == .killed ? nil : [call?.deadline, changesAt, heartbeat].compactMap(\.self).min()
    }

    /// When it is to be asked whether it is there; nil while it is busy.
    private var heartbeat: RealTime? {
        phase == .serving && call == nil ? quietSince + order.deadlines.heartbeat : nil
    }

    // MARK: What the host wants

    /// Starts it, for the first time or again.
    func start(now: RealTime) {
        let isFirst = phase != .backoff
        phase = .loading
        hasGreeted = false
        hasWalls = false
        denials = 0
        changesAt = nil
        output = WorkerOutput()
        do throws(SystemFailure) {
            let memory = try SharedMemory()
            rings = MessageRings(memory)
            decisions = DecisionPlace(memory)
            spawned = try SpawnedWorker(executable: order.executable, memory: memory)
            call = WorkerCall(id: takeCallID(), task: .load, deadline: now + order.deadlines.load)
        } catch {
            let detail =
                "kit-worker could not be started (\(order.executable)): \(error); see whether it may be executed and what ulimit -a allows."
            let fault = StrategyStatus.Fault(.error, during: "load", detail: detail)
            // One that ran before is not wrong: what it lacks now may be there later.
            if isFirst { giveUp(fault) } else { fail(fault, now: now) }
            rest()
        }
    }

    func create(_ instance: WorkerInstance) {
        if let failure = order.record.failure {
            // It was asked for before anybody could know of the failure.
            drop(instance, .workerHasEnded(failure))
            return
        }
        instances[instance.number] = instance
        if phase == .backoff { instance.record.change { $0.health = .backoff } }
        tasks.append(.create(instance))
    }

    func destroy(_ instance: WorkerInstance) {
        guard instances[instance.number] != nil else { return }
        closeFeed(of: instance)
        let waiting = tasks.firstIndex {
            if case .create(let other) = $0 { return other === instance }
            return false
        }
        if let waiting {
            tasks.remove(at: waiting)
            instances[instance.number] = nil
        } else {
            tasks.append(.destroy(instance))
        }
    }

    /// Ends it as soon as it has nothing more to do. No instance is made afterwards.
    func stopWhenIdle() {
        stopsWhenIdle = true
    }

    /// Gives it up because decisions keep coming too late.
    ///
    /// - Parameter place: where they were asked for; another worker may have been started by now.
    func giveUpDeciding(_ instance: WorkerInstance, at place: DecisionPlace) {
        guard instances[instance.number] != nil, decisions === place, phase == .serving else { return }
        hang("decide", "it was late with three decisions in a row")
    }

    // MARK: Its course

    /// Acts on deadlines and asks the next thing if it is free.
    func advance(now: RealTime) {
        guard phase != .ended, phase != .killed else { return }
        if phase == .backoff {
            if stopsWhenIdle, instances.isEmpty {
                finish()
            } else if let changesAt, changesAt <= now {
                start(now: now)
            }
        } else if phase == .locating {
            if let changesAt, changesAt <= now { tell(function: nil) }
        } else if let changesAt, changesAt <= now {
            hang("stop", "it did not end within \(order.deadlines.destroy) ms after it was told to")
        } else if let call, call.deadline <= now {
            hang(call)
        } else if phase == .serving, call == nil {
            askNext(now: now)
        } else if phase == .loading, stopsWhenIdle, instances.isEmpty {
            stop(now: now)
        }
    }

    private func askNext(now: RealTime) {
        if let (task, message) = nextRequest() {
            ask(task, message, now: now)
        } else if stopsWhenIdle, instances.isEmpty {
            stop(now: now)
        } else if let heartbeat, heartbeat <= now {
            ask(.ping, WireWriter(KITW_PING), now: now)
        }
    }

    /// Sends a request.
    private func ask(_ task: WorkerTask, _ message: WireWriter, now: RealTime) {
        let id = takeCallID()
        call = WorkerCall(
            id: id, task: task, deadline: now + task.budget(order.deadlines),
            isBehindDecision: decisions?.isPending == true)
        send(message.message(call: id, instance: task.instance?.number ?? 0))
    }

    private func nextRequest() -> (WorkerTask, WireWriter)? {
        while let task = tasks.isEmpty ? nil : tasks.removeFirst() {
            switch task {
            case .create(let instance):
                let message = WireWriter.create(
                    kind: instance.kind, name: instance.name, options: instance.options,
                    mayAct: instance.actions?.isGranted == true)
                if message.fits { return (task, message) }
                drop(
                    instance,
                    StrategyStatus.Fault(
                        .error, during: "create",
                        detail: "its name and options take more than \(KITW_BODY_MAX) bytes; shorten them."))
            case .destroy(let instance):
                if instances[instance.number] != nil { return (task, WireWriter(KITW_DESTROY)) }
            case .load, .events, .ping:
                preconditionFailure("\(task.name) never waits in the queue")
            }
        }
        return nextBatch()
    }

    /// The feeds take turns.
    private func nextBatch() -> (WorkerTask, WireWriter)? {
        for _ in feeds.indices {
            let feed = feeds.removeFirst()
            feeds.append(feed)
            if let batch = feed.nextBatch(encoder, wanted: order.record.interest) { return (.events(feed), batch) }
        }
        return nil
    }

    func stop(now: RealTime) {
        send(WireWriter(KITW_STOP).message(call: takeCallID(), instance: 0))
        phase = .stopping
        changesAt = now + order.deadlines.destroy
    }

    /// The instance was made and can be fed.
    func begin(_ instance: WorkerInstance) {
        instance.becomeReady(decisions)
        if instance.kind == .monitor, instance.phase == .ready { feeds.append(EventFeed(instance)) }
    }

    /// The instance is never called again.
    func forget(_ instance: WorkerInstance) {
        instances[instance.number] = nil
        closeFeed(of: instance)
    }

    private func closeFeed(of instance: WorkerInstance) {
        guard let index = feeds.firstIndex(where: { $0.instance === instance }) else { return }
        feeds.remove(at: index)
        if let line = instance.record.status.cutLine { lines.write(.warn, line) }
    }

    /// The instance cannot be made, or must not be called again.
    func drop(_ instance: WorkerInstance, _ fault: StrategyStatus.Fault, _ file: FaultFile? = nil) {
        forget(instance)
        instance.add(fault, isFinal: true, file: file)
        instance.end()
    }

    /// The plugin has brought it down: it is started again, with new instances in place of the old, or was too often.
    func fail(_ fault: StrategyStatus.Fault, now: RealTime) {
        // One that was given up is not taken up again.
        guard order.record.failure == nil else { return }
        guard let delay = restarts.delay(afterFailureAt: now, chance: .random(in: 0...1)) else {
            var last = fault
            last.detail +=
                " It failed \(restarts.limit) times in \(restarts.window / 60_000) minutes and is not started again."
            giveUp(last)
            return
        }
        restartDelay = delay
        call = nil
        feeds = []
        let file = file(of: fault)
        for instance in instances.values { instance.interrupt(by: fault, file, until: now + delay) }
        tellDeparted(fault, file)
        // Those that nobody wants any more have heard of it and are gone; the others are made again, in their order.
        instances = instances.filter { $0.value.phase != .ended }
        tasks = instances.values.sorted { $0.number < $1.number }.map { WorkerTask.create($0) }
        decisions?.close()
    }

    /// Fails everything that waits for this worker, for good.
    func giveUp(_ fault: StrategyStatus.Fault) {
        restartDelay = nil
        order.record.failure = fault.detail
        let file = file(of: fault)
        tellDeparted(fault, file)
        for instance in instances.values { drop(instance, fault, file) }
        decisions?.close()
        tasks = []
    }

    /// What happens when no instance is left is that one's who was the last.
    private func tellDeparted(_ fault: StrategyStatus.Fault, _ file: FaultFile?) {
        if instances.isEmpty { departed?.add(fault, isFinal: false, file: file) }
    }

    /// The one file that tells of a fault which all instances share.
    private func file(of fault: StrategyStatus.Fault) -> FaultFile? {
        order.health?.file(of: fault, output: output.lastLines, isEnd: true)
    }

    /// Nothing of it runs any more: it is started again later, or not at all.
    func rest() {
        decisions?.close()
        if let delay = restartDelay.take() {
            phase = .backoff
            changesAt = RealTime.now() + delay
        } else {
            finish()
        }
    }

    /// It is not started again.
    private func finish() {
        phase = .ended
        changesAt = nil
        order.record.processEnded()
    }

    private func takeCallID() -> UInt64 {
        defer { nextCall += 1 }
        return nextCall
    }
}
