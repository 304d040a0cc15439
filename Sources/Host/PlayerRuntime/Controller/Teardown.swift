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
        let farewell = left.lease?.origin == .borrowed ? Farewell(to: id, from: environment.dispatcher) : nil
        let outcome = (left.lease ?? left.lent).map { lifecycleStrategy.recyclePlayer($0, force: true) }
        let goesOn = !isOver && outcome == .popped
        let isTold = farewell?.isTold(within: goesOn ? Farewell.limitMilliseconds : 0) ?? false
        if !isOver, !isTold { left.output?.post(.destroy, position: position) }
        Farewell.settle(left.farewell)
        strategyManager.destroyNow()
        environment.dispatcher.barrier()
        for sink in sinks { environment.dispatcher.detach(sink, from: id) }
        for stream in left.streams { stream.finish() }
        reports.end()
        environment.dispatcher.release(id)
    }
}
