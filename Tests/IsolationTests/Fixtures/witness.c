/* SPDX-License-Identifier: Apache-2.0
 * A monitor that counts what reaches it and what it was told is lost, and a lifecycle strategy that reuses. ID is its id. */
#include <stdlib.h>
#include <string.h>

#include "kitshell/kit.h"

typedef struct witness {
  int64_t events, dropped;
} witness;

static kit_result create(const kit_host_v1 *host, const kit_create_v1 *how, void **self) {
  (void)host, (void)how;
  *self = calloc(1, sizeof(witness));
  return *self == NULL ? KIT_INTERNAL : KIT_OK;
}

static kit_result on_events(void *opaque, const kit_event_batch_v1 *batch, const kit_report_sink_v1 *sink) {
  witness *self = opaque;
  uint32_t session = 0;
  self->dropped += (int64_t)batch->dropped;
  for (uint32_t i = 0; i < batch->event_count; i++) {
    const kit_event_v1 *event = (const void *)((const char *)batch->events + (uint64_t)i * batch->event_stride);
    if (event->session != 0) session = event->session;
    self->events++;
  }
  kit_field_v1 fields[] = {
      {sizeof *fields, KIT_FIELD_INT, {"events", 6}, self->events, 0, {0}},
      {sizeof *fields, KIT_FIELD_INT, {"dropped", 7}, self->dropped, 0, {0}},
  };
  kit_report_v1 report = {sizeof report, KIT_REPORT_RECORD, session, 0, {"seen", 4}, fields, 2, sizeof *fields};
  sink->emit(sink, &report);
  return KIT_OK;
}

static kit_result decide(void *self, const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision) {
  (void)self;
  if (request->kind == KIT_REQUEST_RECYCLE) decision->action = KIT_RECYCLE_KEEP;
  if (request->kind != KIT_REQUEST_ACQUIRE) return KIT_OK;
  decision->action = KIT_ACQUIRE_CREATE;
  for (uint32_t i = 0; i < request->player_count; i++) {
    const kit_player_v1 *player = (const void *)((const char *)request->players + (uint64_t)i * request->player_stride);
    if (player->state != KIT_PLAYER_IDLE) continue;
    decision->action = KIT_ACQUIRE_USE;
    decision->handle = player->handle;
  }
  return KIT_OK;
}

static void destroy(void *self) { free(self); }

static const void *get_interface(const char *id) {
  static const kit_monitor_v1 monitor = {sizeof monitor, 0, {0, 0}, on_events};
  static const kit_lifecycle_v1 lifecycle = {sizeof lifecycle, 0, decide};
  return strcmp(id, KIT_MONITOR_ID) == 0 ? (const void *)&monitor : strcmp(id, KIT_LIFECYCLE_ID) == 0 ? &lifecycle : NULL;
}

KIT_EXPORT kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
  static const kit_plugin_v1 plugin = {sizeof plugin, KIT_ABI_MINOR, create, destroy, get_interface};
  (void)host;
  *out = &plugin;
  return KIT_OK;
}

KIT_PLUGIN_NOTE(KIND, 0, 0, 0, ID, "1.0.0", "Witness", "Example");
