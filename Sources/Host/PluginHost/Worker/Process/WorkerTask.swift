// SPDX-License-Identifier: Apache-2.0

/// What a worker is asked for.
enum WorkerTask {
    case load
    case create(WorkerInstance)
    case events(EventFeed)
    case decide(WorkerInstance, DecisionCall)
    case destroy(WorkerInstance)

    /// The word for it in a fault.
    var name: String {
        switch self {
        case .load: "load"
        case .create: "create"
        case .events: "on_events"
        case .decide: "decide"
        case .destroy: "destroy"
        }
    }

    /// The number of the instance that it is for; 0 for none.
    var instanceNumber: UInt32 {
        switch self {
        case .load: 0
        case .create(let instance), .decide(let instance, _), .destroy(let instance): instance.number
        case .events(let feed): feed.instance.number
        }
    }

    func budget(_ deadlines: WorkerDeadlines) -> Int {
        switch self {
        case .load: deadlines.load
        case .create: deadlines.create
        case .events, .decide: deadlines.events
        case .destroy: deadlines.destroy
        }
    }
}
