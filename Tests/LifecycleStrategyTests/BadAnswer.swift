// SPDX-License-Identifier: Apache-2.0

import PlayerRuntime
import Sessions
import TestSupport
import Testing

/// A wrong answer to one kind of question, in the pool that `BadAnswerTests` sets up.
struct BadAnswer: Sendable, CustomTestStringConvertible {
    enum Question: Hashable, Sendable {
        case acquire
        case recycle(force: Bool)
        /// For two.
        case preload
        /// Of `BadAnswer.upcoming`.
        case upcoming
        case clear, resize
        case pressure(PoolRequest.Pressure)
        case idle

        static let plans: [Question] = [
            .preload, .upcoming, .clear, .resize, .pressure(.moderate), .pressure(.critical), .idle,
        ]
        static let all = [.acquire, .recycle(force: false)] + plans
    }

    let question: Question
    let name: String
    let decision: PoolDecision
    /// What a plugin does in place of giving `decision`.
    var text: String?
    /// Whether the pool has no room.
    var isFull = false

    var testDescription: String { "\(name), to \(question)" }

    // MARK: The pool

    /// In use by A, idle under B, prepared for C, unbound.
    static let handles = [
        handle(1, generation: 2), handle(2, generation: 3), handle(3, generation: 1), handle(4, generation: 1),
    ]
    private static let (held, idle, ready, unbound) = (handles[0], handles[1], handles[2], handles[3])
    private static let unknown = PlayerHandle(rawValue: 0xdead_beef_0000_0001)
    /// Of an earlier use, and of one that never was.
    private static let (stale, future) = (handle(2, generation: 2), handle(2, generation: 4))
    private static let zero = PlayerHandle(rawValue: 0)
    private static let million = Array(repeating: idle, count: 1_000_000)

    static let upcoming = [("C", 1), ("D", 2), ("A", 3)].map { UpcomingItem(uniqueID: $0.0, distance: $0.1) }

    private static func handle(_ index: UInt64, generation: UInt64) -> PlayerHandle {
        PlayerHandle(rawValue: generation << 32 | index)
    }

    /// What the strategy answers before.
    static func proper(_ request: PoolRequest) -> PoolDecision {
        switch request.kind {
        case .acquire: PoolDecision(.create)
        case .recycle: PoolDecision(.keep)
        case .preload(let count): PoolDecision(.none, createCount: count)
        case .upcoming: PoolDecision(.none, prepare: [.init(item: 0, stage: .prepared)])
        case .clear, .resize, .pressure, .idle: PoolDecision(.none)
        }
    }

    // MARK: The tables

    private static func table(
        _ question: Question, isFull: Bool = false, _ rows: KeyValuePairs<String, PoolDecision>
    ) -> [BadAnswer] {
        rows.map { BadAnswer(question: question, name: $0.key, decision: $0.value, isFull: isFull) }
    }

    /// Wrong in a list of players to give up, whatever the question.
    private static func evicting(_ question: Question, _ action: PoolDecision.Action) -> [BadAnswer] {
        let lists: KeyValuePairs = [
            "gives up an unknown player": [unknown], "a former use of a player": [stale],
            "a use that never was": [future], "handle 0": [zero], "one twice": [idle, unbound, idle],
            "a known and an unknown one": [idle, unknown],
            "more than there are": handles + [idle], "a million": million,
        ]
        return lists.map {
            BadAnswer(question: question, name: $0.key, decision: PoolDecision(action, evict: $0.value))
        }
    }

    private static let acquire =
        evicting(.acquire, .create) + evicting(.acquire, .refuse) + evicting(.acquire, .use(ready))
        + table(
            .acquire,
            [
                "nothing": PoolDecision(.none), "keep": PoolDecision(.keep), "destroy": PoolDecision(.destroy),
                "an unknown player": PoolDecision(.use(unknown)), "a former use of one": PoolDecision(.use(stale)),
                "a use that never was": PoolDecision(.use(future)), "handle 0": PoolDecision(.use(zero)),
                "a player in use": PoolDecision(.use(held)),
                "a player that it gives up": PoolDecision(.use(idle), evict: [idle]),
            ])
        + table(.acquire, isFull: true, ["one more than may exist": PoolDecision(.create)])

    private static let recycle =
        evicting(.recycle(force: false), .keep) + evicting(.recycle(force: true), .destroy)
        + table(
            .recycle(force: false),
            [
                "nothing": PoolDecision(.none), "refuse": PoolDecision(.refuse),
                "the player itself, kept": PoolDecision(.keep, evict: [held]),
                "the player itself, destroyed": PoolDecision(.destroy, evict: [held]),
            ])
        + table(.recycle(force: true), ["kept against force": PoolDecision(.keep)])

    private static let plans = Question.plans.flatMap { question in
        evicting(question, .none)
            + table(
                question,
                [
                    "create": PoolDecision(.create), "use": PoolDecision(.use(idle)), "refuse": PoolDecision(.refuse),
                ])
    }

    private static let preload =
        table(
            .preload,
            [
                "less than none": PoolDecision(.none, createCount: -1),
                "the least number": PoolDecision(.none, createCount: .min),
                "more than were asked for": PoolDecision(.none, createCount: 3),
                "the largest number": PoolDecision(.none, createCount: .max),
            ])
        + table(
            .preload, isFull: true,
            [
                "one more than may exist": PoolDecision(.none, createCount: 1),
                "two for one": PoolDecision(.none, createCount: 2, evict: [idle]),
            ])

    private static func preparing(_ items: PoolDecision.Preparation..., evict: [PlayerHandle] = []) -> PoolDecision {
        PoolDecision(.none, evict: evict, prepare: items)
    }

    private static let prepare =
        table(
            .upcoming,
            [
                "an item that is none": preparing(.init(item: 3, stage: .prepared)),
                "item -1": preparing(.init(item: -1, stage: .prepared)),
                "the last item there could be": preparing(.init(item: Int(Int32.max), stage: .prepared)),
                "an item twice": preparing(.init(item: 1, stage: .prepared), .init(item: 1, stage: .firstFrame)),
                "no stage": preparing(.init(item: 1, stage: .none)),
                "in an unknown player": preparing(.init(item: 1, stage: .prepared, player: unknown)),
                "in a former use of one": preparing(.init(item: 1, stage: .prepared, player: stale)),
                "in a player in use": preparing(.init(item: 1, stage: .prepared, player: held)),
                "in the player in use of that id": preparing(.init(item: 2, stage: .prepared, player: held)),
                "in a player made ready for another": preparing(.init(item: 1, stage: .prepared, player: ready)),
                "in one player twice": preparing(
                    .init(item: 0, stage: .prepared, player: idle), .init(item: 1, stage: .prepared, player: idle)),
                "in a player that it gives up": preparing(
                    .init(item: 1, stage: .prepared, player: idle), evict: [idle]),
                "right, and then wrong": preparing(
                    .init(item: 0, stage: .firstFrame, player: ready), .init(item: 9, stage: .prepared)),
            ])
        + table(
            .upcoming, isFull: true,
            [
                "one more than may exist": preparing(.init(item: 1, stage: .prepared)),
                "two for one": preparing(
                    .init(item: 0, stage: .prepared), .init(item: 1, stage: .prepared), evict: [unbound]),
            ])

    /// What both a Swift policy and a plugin can answer.
    static let all = acquire + recycle + plans + preload + prepare

    private static func raw(_ questions: [Question], _ rows: KeyValuePairs<String, String>) -> [BadAnswer] {
        questions.flatMap { question in
            rows.map { BadAnswer(question: question, name: $0.key, decision: PoolDecision(.none), text: $0.value) }
        }
    }

    private static let properly = "decision->action = proper(request);"

    /// What only a plugin can write into its answer.
    static let inC =
        raw(
            Question.all,
            [
                "all bits set": "memset(decision, 0xff, sizeof *decision);",
                "an action that is none": "decision->action = 77;",
                "the last action there could be": "decision->action = 0xffffffffu;",
                "a list that is nowhere": "\(properly) decision->evict = 0; decision->evict_count = 1;",
                "a list beside its place":
                    "\(properly) decision->evict = (kit_player *)((char *)decision->evict + 1); decision->evict_count = 1;",
                "a list that never was written": "\(properly) decision->evict_count = 2;",
                "a billion of its own":
                    "\(properly) decision->evict_count = decision->evict_capacity = 1000000000u;",
                "the longest list there could be":
                    "\(properly) decision->evict_count = decision->evict_capacity = 0xffffffffu;",
                "the longest preparations there could be":
                    "\(properly) decision->prepare_count = decision->prepare_capacity = 0xffffffffu;",
            ])
        + raw([.acquire, .recycle(force: false)], ["all bits clear": "memset(decision, 0, sizeof *decision);"])
        + raw(
            Question.all.filter { $0 != .upcoming },
            ["something prepared": "\(properly) decision->prepare_count = 1;"])
        + raw(
            [.upcoming],
            [
                "preparations that are nowhere": "decision->prepare = 0; decision->prepare_count = 2;",
                "preparations that never were written": "decision->prepare_count = 3;",
                "one more than there are items": "decision->prepare_count = decision->prepare_capacity + 1;",
                "an unknown stage": "decision->prepare[0].stage = 5; decision->prepare_count = 1;",
                "the last stage there could be":
                    "decision->prepare[0].stage = 0xffffffffu; decision->prepare_count = 1;",
                "the last item there could be":
                    "decision->prepare[0].item = 0xffffffffu; decision->prepare[0].stage = 3; decision->prepare_count = 1;",
            ])
}
