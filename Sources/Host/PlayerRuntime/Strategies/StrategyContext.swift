// SPDX-License-Identifier: Apache-2.0

public import MediaCore
internal import Synchronization

/// A strategy asked its context for something after it had been stopped, or after the controller was gone.
public enum StrategyContextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The context is no longer valid.
    case invalid

    public var description: String {
        "the strategy's context is no longer valid: do not use it after strategyDidStop"
    }
}

/// What a strategy may see of its controller, from `strategyDidStart` until `strategyDidStop`. Every access is checked.
///
/// Thread: any.
public final class StrategyContext: Sendable {
    private struct Contents {
        weak var controller: PlayerController?
        var playerModel: PlayedModel
        var stateStore: PlayerStateStore
        var reports: ReportSink
    }

    private let contents: Mutex<Contents?>

    init(controller: PlayerController, playerModel: PlayedModel, reports: ReportSink) {
        contents = Mutex(
            Contents(
                controller: controller, playerModel: playerModel, stateStore: controller.stateStore, reports: reports))
    }

    /// The controller that the strategy accompanies; held weakly.
    public var controller: PlayerController {
        get throws(StrategyContextError) {
            guard let controller = try valid().controller else { throw .invalid }
            return controller
        }
    }

    /// What is being played.
    public var playerModel: PlayerModel {
        get throws(StrategyContextError) { try valid().playerModel.value }
    }

    /// The controller's state.
    public var stateStore: PlayerStateStore {
        get throws(StrategyContextError) { try valid().stateStore }
    }

    /// Where the strategy's reports go.
    public var reports: ReportSink {
        get throws(StrategyContextError) { try valid().reports }
    }

    /// Whether the strategy has not been stopped.
    public var isValid: Bool { contents.withLock { $0 != nil } }

    private func valid() throws(StrategyContextError) -> Contents {
        guard let contents = contents.withLock({ $0 }) else { throw .invalid }
        return contents
    }

    func update(_ model: PlayedModel) {
        contents.withLock { $0?.playerModel = model }
    }

    func invalidate() {
        contents.withLock { $0 = nil }
    }
}
