// SPDX-License-Identifier: Apache-2.0

import MediaCore
import PlayerRuntime
import PluginHost
import Sessions
import TestSupport
import Testing

/// A strategy that answers properly until a source named `X` or a plan comes: then it gives the wrong answer that it was made with.
/// Once in Swift and once in C: the pool does the default, counts a fault and keeps to its law.
@Suite("A strategy that gives a wrong answer")
struct BadAnswerTests {
    enum Answer: String, CaseIterable, Sendable {
        case unknownPlayer, playerInUse, evictsUnknown, evictsTwice, evictsBillion, usesWhatItEvicts, nothing, nonsense
    }

    enum Form: CaseIterable, Sendable {
        case swift, library
    }

    private static let billion: UInt32 = 1_000_000_000

    /// The body of `decide` in C; `idle` and `active` are handles of the pool.
    private static func text(_ answer: Answer) -> String {
        switch answer {
        case .unknownPlayer: "decision->action = KIT_ACQUIRE_USE; decision->handle = 0xdeadbeef00000001;"
        case .playerInUse: "decision->action = KIT_ACQUIRE_USE; decision->handle = active;"
        case .evictsUnknown: "decision->action = KIT_ACQUIRE_CREATE; decision->evict[0] = 7; decision->evict_count = 1;"
        case .evictsTwice:
            """
            decision->action = KIT_ACQUIRE_CREATE; decision->evict[0] = decision->evict[1] = idle; decision->evict_count = 2;
            """
        case .evictsBillion:
            "decision->action = KIT_ACQUIRE_CREATE; decision->evict_count = decision->evict_capacity = \(billion);"
        case .usesWhatItEvicts:
            """
            decision->action = KIT_ACQUIRE_USE; decision->handle = idle;
            decision->evict[0] = idle; decision->evict_count = 1;
            """
        case .nothing: ""
        case .nonsense: "memset(decision, 0xff, sizeof *decision);"
        }
    }

    private static func native(_ answer: Answer, _ request: PoolRequest) -> PoolDecision {
        let idle = request.players.first { $0.condition == .idle }?.handle ?? PlayerHandle(rawValue: 1)
        let active = request.players.first { $0.condition == .active }?.handle ?? PlayerHandle(rawValue: 1)
        return switch answer {
        case .unknownPlayer: PoolDecision(.use(PlayerHandle(rawValue: 0xdead_beef_0000_0001)))
        case .playerInUse: PoolDecision(.use(active))
        case .evictsUnknown: PoolDecision(.create, evict: [PlayerHandle(rawValue: 7)])
        case .evictsTwice: PoolDecision(.create, evict: [idle, idle])
        case .evictsBillion: PoolDecision(.create, evict: Array(repeating: idle, count: Int(billion / 1000)))
        case .usesWhatItEvicts: PoolDecision(.use(idle), evict: [idle])
        case .nothing: PoolDecision(.none)
        case .nonsense: PoolDecision(.keep, createCount: -1, evict: [PlayerHandle(rawValue: 0)])
        }
    }

    private func policy(
        _ answer: Answer, _ form: Form, in directory: TemporaryDirectory
    ) throws -> any LifecyclePolicy {
        switch form {
        case .swift:
            return FakePolicy { request in
                switch request.kind {
                case .acquire(let id, _): id == "X" ? Self.native(answer, request) : PoolDecision(.create)
                default: PoolDecision(.keep)
                }
            }
        case .library:
            let path = try CommandLineTool.compile(
                """
                #include <kitshell/kit.h>
                #include <string.h>
                KIT_PLUGIN_NOTE_ABI(1, 0, KIT_KIND_LIFECYCLE, 0, 0, 0, "com.example.bad", "1.0.0", "Bad", "Example");
                static kit_result create(const kit_host_v1 *host, const kit_create_v1 *how, void **self) { return KIT_OK; }
                static void destroy(void *self) {}
                static kit_result decide(void *self, const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision) {
                  kit_player idle = 0, active = 0;
                  for (uint32_t i = request->player_count; i-- > 0;) {
                    const kit_player_v1 *player = (const void *)((const char *)request->players + i * request->player_stride);
                    if (player->state == KIT_PLAYER_IDLE) idle = player->handle;
                    if (player->state == KIT_PLAYER_ACTIVE) active = player->handle;
                  }
                  (void)idle, (void)active;
                  if (request->kind == KIT_REQUEST_RECYCLE) {
                    decision->action = KIT_RECYCLE_KEEP;
                  } else if (request->unique_id.len == 1 && request->unique_id.ptr[0] == 'X') {
                    \(Self.text(answer))
                  } else {
                    decision->action = KIT_ACQUIRE_CREATE;
                  }
                  return KIT_OK;
                }
                static const kit_lifecycle_v1 lifecycle = {sizeof lifecycle, 0, decide};
                static const void *get_interface(const char *id) { return strcmp(id, KIT_LIFECYCLE_ID) ? 0 : &lifecycle; }
                static const kit_plugin_v1 plugin = {sizeof plugin, KIT_ABI_MINOR, create, destroy, get_interface};
                kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
                  *out = &plugin;
                  return KIT_OK;
                }
                """, to: "bad.so", in: directory)
            // Late is not what is wrong with these answers, however busy the machine is.
            var deadlines = CallDeadlines()
            deadlines.decide = 60_000
            let catalog = PluginCatalog(builtinDirectory: directory.path) { [deadlines] inspection, _, _, _, _ in
                try InProcessPlace(
                    PluginFile(inspection, origin: .stranger), deadlines: deadlines, log: { _, _ in })
            }
            return try PluginLifecyclePolicy(
                plugin: try catalog.stranger(path: path, runs: .inProcess, allowsInsecurePath: true), name: "bad",
                options: [])
        }
    }

    @Test(
        "gets the default, a fault is counted, and nobody loses a player", arguments: Answer.allCases, Form.allCases)
    func acquire(_ answer: Answer, _ form: Form) throws {
        let directory = try TemporaryDirectory()
        let stage = PoolStage(try policy(answer, form, in: directory))
        let held = try stage.acquire("A")
        stage.pool.recyclePlayer(try stage.acquire("B"))
        let faults = stage.pool.status.faults.count
        let lease = try stage.acquire("X")
        #expect(lease.origin == .created)
        #expect(stage.journal.lines.isEmpty && stage.alive == [1, 2, 3] && stage.pool.check(held) == nil)
        #expect(stage.pool.counts.created == 3 && stage.pool.counts.evicted == 0 && stage.pool.counts.active == 2)
        let status = stage.pool.status
        #expect(status.faults.count == faults + 1 && status.faults.last?.kind == .invalidDecision)
        #expect(status.defaultsUsed == 1)
        #expect(stage.pool.players.map(\.condition) == [.active, .idle, .active])
    }
}
