/* SPDX-License-Identifier: Apache-2.0
 * What a third party's plugin costs at least: a lifecycle strategy that makes a player for everything, and a monitor that counts. Ids of
 * sources say what else it does: "crash" and "hang". */
#include <kitshell/kit.h>
#include <string.h>
#include <time.h>

KIT_PLUGIN_NOTE(KIT_KIND_LIFECYCLE | KIT_KIND_MONITOR, 0, 0, 0, "com.example.bench", "1.0.0", "Benchmark", "Example");

static kit_result create(const kit_host_v1 *host, const kit_create_v1 *how, void **self) {
  static int instance;
  (void)host, (void)how;
  *self = &instance;
  return KIT_OK;
}

static void destroy(void *self) { (void)self; }

static int is(kit_str text, const char *word) { return text.len == strlen(word) && memcmp(text.ptr, word, text.len) == 0; }

static kit_result decide(void *self, const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision) {
  (void)self;
  if (is(request->unique_id, "crash")) *(volatile int *)0 = 1;
  if (is(request->unique_id, "hang")) nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
  decision->action = request->kind == KIT_REQUEST_ACQUIRE ? KIT_ACQUIRE_CREATE : 0;
  return KIT_OK;
}

static kit_result on_events(void *self, const kit_event_batch_v1 *batch, const kit_report_sink_v1 *sink) {
  static volatile int64_t sum;
  (void)self, (void)sink;
  for (uint32_t i = 0; i < batch->event_count; i++)
    sum += ((const kit_event_v1 *)(const void *)((const char *)batch->events + (uint64_t)i * batch->event_stride))->time_us;
  return KIT_OK;
}

static const void *get_interface(const char *id) {
  static const kit_monitor_v1 monitor = {sizeof monitor, 0, {0, 0}, on_events};
  static const kit_lifecycle_v1 lifecycle = {sizeof lifecycle, 0, decide};
  if (strcmp(id, KIT_MONITOR_ID) == 0) return &monitor;
  return strcmp(id, KIT_LIFECYCLE_ID) == 0 ? &lifecycle : NULL;
}

KIT_EXPORT kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
  static const kit_plugin_v1 plugin = {sizeof plugin, KIT_ABI_MINOR, create, destroy, get_interface};
  (void)host;
  *out = &plugin;
  return KIT_OK;
}
