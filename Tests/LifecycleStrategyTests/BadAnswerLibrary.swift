// SPDX-License-Identifier: Apache-2.0

import PlayerRuntime
import PluginHost
import Sessions
import TestSupport

/// A plugin in C that gives each of the wrong answers: the `n`th of all when it is asked at `n` milliseconds, proper ones at 0.
struct BadAnswerLibrary {
    // What was loaded stays mapped, so its directory stays as long as the process.
    static let shared = Result { try BadAnswerLibrary() }

    private let directory: TemporaryDirectory
    private let plugin: HostedPlugin

    private init() throws {
        directory = try TemporaryDirectory()
        let path = try CommandLineTool.compile(BadAnswerLibrary.source, to: "bad.so", in: directory)
        // Late is not what is wrong with these answers, however busy the machine is.
        var deadlines = CallDeadlines()
        deadlines.decide = 60_000
        let catalog = PluginCatalog(builtinDirectory: directory.path) { [deadlines] inspection, _, _, _, _ in
            try InProcessPlace(PluginFile(inspection, origin: .stranger), deadlines: deadlines, log: { _, _ in })
        }
        plugin = try catalog.stranger(path: path, runs: .inProcess, allowsInsecurePath: true)
    }

    func policy() throws -> any LifecyclePolicy {
        try PluginLifecyclePolicy(plugin: plugin, name: "bad", options: [])
    }

    private static var source: String {
        let answers = (BadAnswer.all + BadAnswer.inC).enumerated().map { index, bad in
            "case \(index + 1): \(bad.text ?? text(bad.decision, to: bad.question)) break;"
        }
        return """
            #include <kitshell/kit.h>
            #include <string.h>
            KIT_PLUGIN_NOTE(KIT_KIND_LIFECYCLE, 0, KIT_FLAG_BINDS_IDS, 0, "com.example.bad", "1.0.0", "Bad", "Example");
            static kit_result create(const kit_host_v1 *host, const kit_create_v1 *how, void **self) { return KIT_OK; }
            static void destroy(void *self) {}
            static void evict(kit_pool_decision_v1 *decision, uint32_t index, kit_player handle) {
              if (index < decision->evict_capacity) decision->evict[index] = handle;
              decision->evict_count = index + 1;
            }
            static void prepare(kit_pool_decision_v1 *decision, uint32_t item, uint32_t stage, kit_player handle) {
              kit_prepare_v1 *entry = &decision->prepare[decision->prepare_count++];
              entry->item = item, entry->stage = stage, entry->handle = handle;
            }
            static uint32_t proper(const kit_pool_request_v1 *request) {
              if (request->kind == KIT_REQUEST_ACQUIRE) return KIT_ACQUIRE_CREATE;
              if (request->kind == KIT_REQUEST_PLAN) return 0;
              return request->flags & KIT_REQUEST_FORCE ? KIT_RECYCLE_DESTROY : KIT_RECYCLE_KEEP;
            }
            static kit_result decide(void *self, const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision) {
              switch (request->now_us / 1000) {
                case 0:
                  decision->action = proper(request);
                  decision->create_count = request->count;
                  if (request->upcoming_count) prepare(decision, 0, KIT_STAGE_PREPARED, 0);
                  break;
                \(answers.joined(separator: "\n    "))
              }
              return KIT_OK;
            }
            static const kit_lifecycle_v1 lifecycle = {sizeof lifecycle, 0, decide};
            static const void *get_interface(const char *id) { return strcmp(id, KIT_LIFECYCLE_ID) ? 0 : &lifecycle; }
            static const kit_plugin_v1 plugin = {sizeof plugin, KIT_ABI_MINOR, create, destroy, get_interface};
            KIT_EXPORT kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
              *out = &plugin;
              return KIT_OK;
            }
            """
    }

    /// The same answer in C. Of long lists only the beginning is written, which is all that there is room for.
    private static func text(_ decision: PoolDecision, to question: BadAnswer.Question) -> String {
        var statements: [String] = ["decision->action = \(number(decision.action, to: question));"]
        if case .use(let handle) = decision.action { statements.append("decision->handle = \(literal(handle));") }
        let count = decision.createCount == .min ? "INT64_MIN" : "\(decision.createCount)"
        statements.append("decision->create_count = \(count);")
        for (index, handle) in decision.evict.prefix(8).enumerated() {
            statements.append("evict(decision, \(index), \(literal(handle)));")
        }
        statements.append("decision->evict_count = \(decision.evict.count);")
        for entry in decision.prepare {
            let (item, stage) = (UInt32(truncatingIfNeeded: entry.item), entry.stage.rawValue)
            statements.append("prepare(decision, \(item)u, \(stage), \(literal(entry.player)));")
        }
        return statements.joined(separator: " ")
    }

    private static func literal(_ handle: PlayerHandle?) -> String { "\(handle?.rawValue ?? 0)ull" }

    /// What is the answer to one kind of question is no answer to the others.
    private static func number(_ action: PoolDecision.Action, to question: BadAnswer.Question) -> String {
        let own =
            switch (question, action) {
            case (_, .none): "0"
            case (.acquire, .create): "KIT_ACQUIRE_CREATE"
            case (.acquire, .use): "KIT_ACQUIRE_USE"
            case (.acquire, .refuse): "KIT_ACQUIRE_REFUSE"
            case (.recycle, .keep): "KIT_RECYCLE_KEEP"
            case (.recycle, .destroy): "KIT_RECYCLE_DESTROY"
            default: "4"
            }
        return own
    }
}
