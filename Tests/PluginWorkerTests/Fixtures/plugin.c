/* SPDX-License-Identifier: Apache-2.0
 * A monitor that counts, and a lifecycle strategy that makes players. What else it does, and where, is given on the compiler's command line. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kitshell/kit.h"
#include "kitwire/wire.h"
#ifdef ESCAPES
#include "escapes.h"
#endif

#ifndef AT_LOAD
#define AT_LOAD
#endif
#ifndef AT_ENTRY
#define AT_ENTRY
#endif
#ifndef AT_CREATE
#define AT_CREATE
#endif
#ifndef AT_EVENTS
#define AT_EVENTS
#endif
#ifndef AT_DECIDE
#define AT_DECIDE
#endif
#ifndef AT_DESTROY
#define AT_DESTROY
#endif
#ifndef MASK
#define MASK 0, 0
#endif
#ifndef TABLE
#define TABLE sizeof(kit_plugin_v1), KIT_ABI_MINOR, create, destroy, get_interface
#endif

typedef struct counter {
  const kit_host_v1 *host;
  char name[2048];
  int64_t step;
  int64_t events, dropped, batches, text_bytes;
} counter;

static const kit_host_v1 *host;

static void say(const char *text) { host->log(host, KIT_LOG_INFO, (kit_str){text, strlen(text)}); }
static void complain(void *self, kit_result result, const char *text) {
  host->report_error(host, self, result, (kit_str){text, strlen(text)});
}
static void crash(void) { *(volatile int *)0 = 1; }
static void hang(void) {
  for (;;) pause();
}

__attribute__((constructor)) static void at_load(void) { AT_LOAD; }

static kit_result create(const kit_host_v1 *given, const kit_create_v1 *how, void **self) {
  counter *made = calloc(1, sizeof *made);
  made->host = given;
  made->step = 1;
  snprintf(made->name, sizeof made->name, "%.*s", (int)how->instance_name.len, how->instance_name.ptr);
  for (uint32_t i = 0; i < how->option_count; i++) {
    const kit_option_v1 *option = (const void *)((const char *)how->options + (uint64_t)i * how->option_stride);
    if (option->key.len == 4 && memcmp(option->key.ptr, "step", 4) == 0) made->step = option->integer;
  }
  *self = made;
  AT_CREATE;
  return KIT_OK;
}

static void destroy(void *self) {
  AT_DESTROY;
  free(self);
}

static kit_result emit(const kit_report_sink_v1 *sink, const counter *self, uint32_t session) {
  kit_field_v1 fields[] = {
      {sizeof *fields, KIT_FIELD_INT, {"events", 6}, self->events, 0, {0}},
      {sizeof *fields, KIT_FIELD_INT, {"dropped", 7}, self->dropped, 0, {0}},
      {sizeof *fields, KIT_FIELD_INT, {"batches", 7}, self->batches, 0, {0}},
      {sizeof *fields, KIT_FIELD_INT, {"text_bytes", 10}, self->text_bytes, 0, {0}},
      {sizeof *fields, KIT_FIELD_STRING, {"name", 4}, 0, 0, {self->name, strlen(self->name)}},
  };
  kit_report_v1 report = {sizeof report, KIT_REPORT_RECORD, session, 0, {"count", 5}, fields, 5, sizeof *fields};
  return sink->emit(sink, &report);
}

static kit_result on_events(void *opaque, const kit_event_batch_v1 *batch, const kit_report_sink_v1 *sink) {
  counter *self = opaque;
  self->batches++;
  self->dropped += (int64_t)batch->dropped;
  uint32_t session = 0;
  for (uint32_t i = 0; i < batch->event_count; i++) {
    const kit_event_v1 *event = (const void *)((const char *)batch->events + (uint64_t)i * batch->event_stride);
    session = event->session;
    self->events += self->step;
    self->text_bytes += event->text_length;
  }
  AT_EVENTS;
#ifdef ESCAPES
  snprintf(self->name, sizeof self->name, "%s", escapes_told);
#endif
  return emit(sink, self, session);
}

static kit_result decide(void *self, const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision) {
  (void)self;
  decision->action = request->kind == KIT_REQUEST_ACQUIRE   ? KIT_ACQUIRE_CREATE
                     : request->kind == KIT_REQUEST_RECYCLE ? KIT_RECYCLE_KEEP
                                                            : 0;
  for (uint32_t i = 0; i < request->player_count; i++) {
    const kit_player_v1 *player = (const void *)((const char *)request->players + (uint64_t)i * request->player_stride);
    if (request->kind == KIT_REQUEST_ACQUIRE && player->state == KIT_PLAYER_IDLE) {
      decision->action = KIT_ACQUIRE_USE;
      decision->handle = player->handle;
    } else if (request->kind == KIT_REQUEST_PLAN) {
      decision->evict[decision->evict_count++] = player->handle;
    }
  }
  AT_DECIDE;
  return KIT_OK;
}

static const void *get_interface(const char *id) {
  static const kit_monitor_v1 monitor = {sizeof monitor, 0, {MASK}, on_events};
  static const kit_lifecycle_v1 lifecycle = {sizeof lifecycle, 0, decide};
  if (strcmp(id, KIT_MONITOR_ID) == 0) return &monitor;
  if (strcmp(id, KIT_LIFECYCLE_ID) == 0) return &lifecycle;
  return NULL;
}

kit_result kit_plugin_entry_v1(const kit_host_v1 *given, const kit_plugin_v1 **out) {
  static const kit_plugin_v1 table = {TABLE};
  host = given;
  (void)say, (void)complain, (void)crash, (void)hang;
  *out = &table;
  AT_ENTRY;
  return KIT_OK;
}

KIT_PLUGIN_NOTE(KIT_KIND_MONITOR | KIT_KIND_LIFECYCLE, 0, 0, 0, "com.example.fixture", "1.0.0", "Fixture", "Example");
