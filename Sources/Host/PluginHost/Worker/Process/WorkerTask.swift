// SPDX-License-Identifier: Apache-2.0

/// What a worker is asked for.
enum WorkerTask {
    case load
    case create(WorkerInstance)
    case events(EventFeed)
    case destroy(WorkerInstance)
    /// Whether it still answers, after it has had nothing to do for a while.
    case ping

    /// The word for it in a fault.
    var name: String {
        switch self {
        case .load: "load"
        case .create: "create"
        case .events: "on_events"
        case .destroy: "destroy"
        case .ping: "idle"
        }
    }

    var isPing: Bool {
        if case .ping = self { true } else { false }
    }

    /// The instance that it is for.
    var instance: WorkerInstance? {
        switch self {
        case .load, .ping: nil
        case .create(let instance), .destroy(let instance): instance
        case .events(let feed): feed.instance
        }
    }

    /// How long it may take, in milliseconds.
    func budget(_ deadlines: CallDeadlines) -> Int {
        switch self {
        case .load: deadlines.load
        case .create: deadlines.create
        case .events: deadlines.onEvents
        case .destroy: deadlines.destroy
        case .ping: deadlines.onEvents
        }
    }
}
