// SPDX-License-Identifier: Apache-2.0

public import MediaCore

/// What a feed plays and how one swipes through it.
public struct FeedSettings: Sendable {
    /// The items of the list, in its order; at least one.
    public var models: [PlayerModel]
    /// Which strategies run; the lifecycle strategy decides what swiping is like.
    public var strategies = StrategySelection()
    /// How long each item is watched.
    public var swipeEvery = Duration.seconds(1)
    /// How often one goes on to the next item; nil: one pass through the list. After the last item comes the first.
    public var swipes: Int?
    /// How many items ahead and behind are announced. The pool then has room for them and the one that plays, unless the selection says
    /// otherwise.
    public var window = 2
    /// Where the event log goes.
    public var record: OutputDescriptor?
    /// In place of what the machine reports.
    public var network: NetworkType?

    /// - Parameter models: at least one.
    public init(models: [PlayerModel]) {
        self.models = models
    }

    /// How often one swipes.
    public var swipeCount: Int { swipes ?? models.count - 1 }

    /// The item at a position of the run, which begins with 0.
    func model(at position: Int) -> PlayerModel { models[position % models.count] }

    /// What may be played after a position, nearest first. Where the run does not begin anew, the list has an end.
    func ahead(of position: Int) -> [PlayerModel] {
        let end = swipeCount < models.count ? models.count : .max
        return (position + 1...position + max(1, window)).prefix(window).filter { $0 < end }.map(model)
    }

    /// What was played before a position, nearest first.
    func behind(_ position: Int) -> [PlayerModel] {
        (0..<position).suffix(window).reversed().map(model)
    }
}
