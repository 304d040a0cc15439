// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A lifecycle strategy in C that reuses any idle player and keeps what comes back unless it must go.
enum LifecyclePlugin {
    static let id = "com.example.keeper"

    /// - Parameters:
    ///   - create: what it does before an instance is made.
    ///   - decide: what it does after its own answer, in `decision`, to `request`; the calls so far are in `calls`.
    static func build(
        in directory: TemporaryDirectory, as name: String = "keeper.so", id: String = id, abi: Int = 1,
        create: String = "", decide: String = ""
    ) throws -> String {
        let text = """
            #include <kitshell/kit.h>
            #include <signal.h>
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>
            KIT_PLUGIN_NOTE_ABI(\(abi), 0, KIT_KIND_LIFECYCLE, 0, 0, 0, "\(id)", "1.0.0", "Keeper", "Example");
            static kit_result create(const kit_host_v1 *host, const kit_create_v1 *how, void **self) { \(create) return KIT_OK; }
            static void destroy(void *self) {}
            static kit_result decide(void *self, const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision) {
              static int calls;
              calls++;
              if (request->kind == KIT_REQUEST_ACQUIRE) {
                decision->action = KIT_ACQUIRE_CREATE;
                for (uint32_t i = 0; i < request->player_count; i++) {
                  const kit_player_v1 *player = (const void *)((const char *)request->players + i * request->player_stride);
                  if (player->state != KIT_PLAYER_IDLE) continue;
                  decision->action = KIT_ACQUIRE_USE;
                  decision->handle = player->handle;
                }
              } else if (request->kind == KIT_REQUEST_RECYCLE) {
                decision->action = request->flags & KIT_REQUEST_FORCE ? KIT_RECYCLE_DESTROY : KIT_RECYCLE_KEEP;
              } else {
                return KIT_DECLINE;
              }
              \(decide)
              return KIT_OK;
            }
            static const kit_lifecycle_v1 lifecycle = {sizeof lifecycle, 0, decide};
            static const void *get_interface(const char *id) { return strcmp(id, KIT_LIFECYCLE_ID) ? 0 : &lifecycle; }
            static const kit_plugin_v1 plugin = {sizeof plugin, KIT_ABI_MINOR, create, destroy, get_interface};
            kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
              *out = &plugin;
              return KIT_OK;
            }
            """
        return try CommandLineTool.compile(text, to: name, in: directory)
    }
}
