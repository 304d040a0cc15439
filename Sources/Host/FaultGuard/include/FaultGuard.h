/* SPDX-License-Identifier: Apache-2.0
 * FaultGuard.h: calls one function of a plugin with a catch directly around it.
 *
 * An exception must not travel through the host: Swift frames have no clean-ups on that path, and a C frame without unwind
 * tables turns it into std::terminate. Crashes are not caught; that is what a worker is for. */
#ifndef FAULT_GUARD_H
#define FAULT_GUARD_H

#include <kitshell/kit.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  FAULT_GUARD_RETURNED = 0,
  FAULT_GUARD_THREW = 1,  /* result is KIT_INTERNAL */
  FAULT_GUARD_NO_SLOT = 2 /* the function pointer is null, nothing was called; result is KIT_BAD_ARG */
};

/* How a call ended. */
typedef struct fault_guard_outcome {
  kit_result result;
  int32_t how; /* FAULT_GUARD_* */
} fault_guard_outcome;

/* Where the text of an exception goes: NUL-terminated and cut to `capacity` (at least 1), empty if there was none. */
typedef struct fault_guard_text {
  char *bytes;
  uint64_t capacity;
} fault_guard_text;

/* One function for each of the ABI. All run on the calling thread; pointers are those of the ABI function. */
fault_guard_outcome fault_guard_entry(kit_plugin_entry_v1_fn KIT_NULLABLE entry, const kit_host_v1 *host,
                                      const kit_plugin_v1 **out, fault_guard_text text);
fault_guard_outcome fault_guard_get_interface(const kit_plugin_v1 *plugin, const char *id, const void **out,
                                              fault_guard_text text);
fault_guard_outcome fault_guard_create(const kit_plugin_v1 *plugin, const kit_host_v1 *host, const kit_create_v1 *how,
                                       void **self, fault_guard_text text);
fault_guard_outcome fault_guard_destroy(const kit_plugin_v1 *plugin, void *self, fault_guard_text text);
fault_guard_outcome fault_guard_on_events(const kit_monitor_v1 *monitor, void *self, const kit_event_batch_v1 *batch,
                                          const kit_report_sink_v1 *sink, fault_guard_text text);
fault_guard_outcome fault_guard_decide(const kit_lifecycle_v1 *lifecycle, void *self,
                                       const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision,
                                       fault_guard_text text);

#ifdef __cplusplus
}
#endif
#endif
