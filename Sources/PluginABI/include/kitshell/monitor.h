/* SPDX-License-Identifier: Apache-2.0
 * monitor.h: kit.monitor/1, event batches in, reports out. */
#ifndef KITSHELL_MONITOR_H
#define KITSHELL_MONITOR_H

#include "base.h"
#include "event.h"
#include "report.h"

#ifdef __cplusplus
extern "C" {
#endif
#define KIT_MONITOR_ID "kit.monitor/1"

/* A monitoring strategy. It has no clock, no timer and no query: what it knows it knows from events, so a replay of the
 * events gives the same reports. A tick comes at least every 250 ms of event time; who debounces fires on the first event past
 * its due time. */
typedef struct kit_monitor_v1 {
  uint32_t struct_size;
  uint32_t reserved;

  /* Which event types are wanted: bit (type % 64) of event_mask[type / 64]. All zero: every type. Read once, after
   * get_interface. */
  uint64_t event_mask[2];

  /* [serial] Handles a batch of events of one controller, in their order. `batch` and all it points to, and `sink`, live until
   * the return; the sink may be used on this thread only. Budget 1 s a batch, then the instance is given up. A negative result
   * is a fault of the plugin, which goes on; after KIT_FATAL it is not called again.
   * The player never waits for it: events that find no room are counted in the next batch's `dropped`. */
  kit_result (*on_events)(void *KIT_NULLABLE self, const kit_event_batch_v1 *batch, const kit_report_sink_v1 *sink);
} kit_monitor_v1;

#ifdef __cplusplus
}
#endif
#endif
