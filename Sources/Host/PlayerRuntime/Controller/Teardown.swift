// SPDX-License-Identifier: Apache-2.0

internal import MediaCore

/// The end of a controller: does without it, so that one that was let go is torn down as well.
///
/// Thread: as commands are performed.
struct Teardown: Sendable {
    private let id: ControllerID
    private let environment: PlayerEnvironment
    private let lifecycleStrategy: any PlayerLifecycleStrategy
    private let strategyManager: StrategyManager
    private let reports: ReportNotifier
    private let sinks: [any EventSink]
    private let left: PlayerController.State
    private let isOver: Bool

    init(of controller: PlayerController, state: PlayerController.State) {
        id = controller.id
        environment = controller.environment
        lifecycleStrategy = controller.lifecycleStrategy
        strategyManager = controller.strategyManager
        reports = controller.reports
        sinks =
            [controller.stateStore, controller.reports] + state.streams
            + [state.commandMark].compactMap(\.self)
        left = state
        isOver = controller.endState(state) != nil
    }

    @Sendable func run() {
        let position = left.lease?.player.currentPosition
        left.output?.end()
        if let lease = left.lease { lifecycleStrategy.recyclePlayer(lease, force: true) }
        if !isOver { left.output?.post(.destroy, position: position) }
        strategyManager.destroyNow()
        environment.dispatcher.barrier()
        for sink in sinks { environment.dispatcher.detach(sink, from: id) }
        for stream in left.streams { stream.finish() }
        reports.end()
        environment.dispatcher.release(id)
    }
}
