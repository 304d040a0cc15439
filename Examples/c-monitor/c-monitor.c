/* SPDX-License-Identifier: Apache-2.0
 *
 * A monitoring strategy in C: counts the events of each playback session and reports the figures as the record
 * `event_count`. It needs the header kitshell/kit.h and nothing else; `make` builds libcmonitor.so. */
#include <kitshell/kit.h>

#include <stdlib.h>
#include <string.h>

KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, 0, 0, 0, "com.example.counter", "1.2.0", "Event counter", "Example");
KIT_PLUGIN_OPTIONS("{\"every\": {\"type\": \"int\", \"default\": 1, \"min\": 1, \"max\": 1000000,"
                   " \"help\": \"while a session runs, report only after so many further events\"}}");

/* One instance: it belongs to one controller and is called by one thread at a time, so it needs no lock. */
typedef struct counter {
  int64_t every;
  uint32_t session; /* the one being counted, 0 before the first event */
  int64_t events;
  int64_t reported; /* `events` at the last report */
  int64_t types;    /* how many of `of_type` are not 0 */
  int64_t dropped;
  int64_t of_type[KIT_EVENT_TYPE_LIMIT];
} counter;

static kit_str text(const char *literal) {
  kit_str result = {literal, strlen(literal)};
  return result;
}

static kit_field_v1 integer(const char *key, int64_t value) {
  kit_field_v1 field;
  memset(&field, 0, sizeof field);
  field.struct_size = sizeof field;
  field.type = KIT_FIELD_INT;
  field.key = text(key);
  field.integer = value;
  return field;
}

/* Element i of an array of the ABI. Later versions may have longer elements, so the stride counts, not the size. */
static const void *element(const void *first, uint32_t stride, uint32_t i) {
  return (const char *)first + (uint64_t)i * stride;
}

static kit_result report(counter *self, const kit_report_sink_v1 *sink) {
  /* Facts of the session only: how events are cut into batches is none, and a replay would tell otherwise. */
  const kit_field_v1 fields[] = {integer("events", self->events), integer("types", self->types),
                                 integer("dropped", self->dropped)};
  kit_report_v1 record;
  memset(&record, 0, sizeof record);
  record.struct_size = sizeof record;
  record.kind = KIT_REPORT_RECORD;
  record.session = self->session;
  record.name = text("event_count");
  record.fields = fields;
  record.field_count = sizeof fields / sizeof fields[0];
  record.field_stride = sizeof fields[0];
  self->reported = self->events;
  return sink->emit(sink, &record);
}

static kit_result create(const kit_host_v1 *host, const kit_create_v1 *how, void **self) {
  counter *made = (counter *)calloc(1, sizeof *made);
  if (!made) {
    host->report_error(host, NULL, KIT_INTERNAL, text("out of memory"));
    return KIT_INTERNAL;
  }
  made->every = 1;
  /* The host has checked the options against the option note and filled in the defaults. */
  for (uint32_t i = 0; i < how->option_count; i++) {
    const kit_option_v1 *option = (const kit_option_v1 *)element(how->options, how->option_stride, i);
    if (option->key.len == 5 && memcmp(option->key.ptr, "every", 5) == 0) made->every = option->integer;
  }
  *self = made;
  return KIT_OK;
}

static void destroy(void *self) { free(self); }

static void count(counter *self, const kit_event_v1 *event) {
  self->events++;
  if (event->type < KIT_EVENT_TYPE_LIMIT && self->of_type[event->type]++ == 0) self->types++;
}

static kit_result on_events(void *pointer, const kit_event_batch_v1 *batch, const kit_report_sink_v1 *sink) {
  counter *self = (counter *)pointer;
  int has_ended = 0;
  for (uint32_t i = 0; i < batch->event_count; i++) {
    const kit_event_v1 *event = (const kit_event_v1 *)element(batch->events, batch->event_stride, i);
    if (event->session == 0) continue;     /* belongs to no session */
    if (event->session != self->session) { /* a batch may hold the end of one session and the start of the next */
      const int64_t every = self->every;
      if (self->session != 0 && report(self, sink) < 0) return KIT_INTERNAL;
      memset(self, 0, sizeof *self);
      self->every = every;
      self->session = event->session;
    }
    count(self, event);
    if (event->type == KIT_EVENT_SESSION_STATE && event->v[0] >= KIT_SESSION_ENDED) has_ended = 1;
  }
  self->dropped += (int64_t)batch->dropped;
  if (self->session == 0 || (self->events - self->reported < self->every && !has_ended)) return KIT_OK;
  return report(self, sink) < 0 ? KIT_INTERNAL : KIT_OK;
}

/* An all-zero event mask asks for every type. */
static const kit_monitor_v1 monitor = {sizeof(kit_monitor_v1), 0, {0, 0}, on_events};

static const void *get_interface(const char *id) { return strcmp(id, KIT_MONITOR_ID) == 0 ? &monitor : NULL; }

static const kit_plugin_v1 plugin = {sizeof(kit_plugin_v1), KIT_ABI_MINOR, create, destroy, get_interface};

kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
  (void)host;
  *out = &plugin;
  return KIT_OK;
}
