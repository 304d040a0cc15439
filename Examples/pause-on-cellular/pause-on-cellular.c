/* SPDX-License-Identifier: Apache-2.0
 *
 * A monitoring strategy in C that acts: it asks the host to pause when a session plays on a cellular network, once for each time
 * that the network becomes cellular, so a user who plays on is left alone. The record `pauses` tells what became of its requests.
 * Without the user's grant (--grant NAME:actions) each is refused, and that is told as well. */
#include <kitshell/kit.h>

#include <stdlib.h>
#include <string.h>

KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, KIT_CAP_ACTIONS, 0, 0, "com.example.pause-on-cellular", "1.0.0", "Pause on cellular",
                "Example");

enum { NAME_MAX_BYTES = 128 };

/* One instance: it belongs to one controller and is called by one thread at a time, so it needs no lock. */
typedef struct pauser {
  const kit_host_v1 *host;
  char name[NAME_MAX_BYTES]; /* what the user calls it: events of actions name who asked */
  uint64_t name_length;
  int is_cellular; /* the machine's: it outlasts a session */
  int has_asked;   /* since the network became cellular */
  int is_playing;
  uint32_t session;
  int64_t asked, paused, refused; /* of this session */
} pauser;

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

static kit_result report(const pauser *self, const kit_report_sink_v1 *sink) {
  const kit_field_v1 fields[] = {integer("asked", self->asked), integer("paused", self->paused),
                                 integer("refused", self->refused)};
  kit_report_v1 record;
  memset(&record, 0, sizeof record);
  record.struct_size = sizeof record;
  record.kind = KIT_REPORT_RECORD;
  record.session = self->session;
  record.name = text("pauses");
  record.fields = fields;
  record.field_count = sizeof fields / sizeof fields[0];
  record.field_stride = sizeof fields[0];
  return sink->emit(sink, &record);
}

static kit_result create(const kit_host_v1 *host, const kit_create_v1 *how, void **self) {
  pauser *made = (pauser *)calloc(1, sizeof *made);
  if (!made || how->instance_name.len > NAME_MAX_BYTES) {
    free(made);
    host->report_error(host, NULL, KIT_LIMIT, text("out of memory, or the instance's name is too long"));
    return KIT_LIMIT;
  }
  made->host = host;
  made->name_length = how->instance_name.len;
  if (made->name_length > 0) memcpy(made->name, how->instance_name.ptr, made->name_length);
  *self = made;
  return KIT_OK;
}

static void destroy(void *self) { free(self); }

/* Whether the event tells of one of this instance's own requests; what others ask for is none of its business. */
static int is_mine(const pauser *self, const kit_event_batch_v1 *batch, const kit_event_v1 *event) {
  return event->text_length == self->name_length &&
         (self->name_length == 0 || memcmp(batch->text + event->text_offset, self->name, self->name_length) == 0);
}

/* Takes one event of the session; tells whether the record changed. */
static int take(pauser *self, const kit_event_batch_v1 *batch, const kit_event_v1 *event) {
  int is_changed = 0;
  if (event->type == KIT_EVENT_NETWORK) {
    self->is_cellular = event->v[0] == KIT_NETWORK_CELLULAR;
    if (!self->is_cellular) self->has_asked = 0;
  } else if (event->type == KIT_EVENT_SESSION_STATE) {
    self->is_playing = event->v[0] == KIT_SESSION_PLAYING;
  } else if (event->type == KIT_EVENT_ACTION_DONE && is_mine(self, batch, event)) {
    /* Counted from the event and not from what request_action returned: a replay gives the same events. */
    self->asked++;
    if (event->v[3] == KIT_OK)
      self->paused++;
    else
      self->refused++;
    is_changed = 1;
  }
  if (self->is_cellular && self->is_playing && !self->has_asked) {
    self->has_asked = 1;
    self->host->request_action(self->host, self, event->session, event->sequence, KIT_ACTION_PAUSE, 0);
  }
  return is_changed;
}

static kit_result on_events(void *pointer, const kit_event_batch_v1 *batch, const kit_report_sink_v1 *sink) {
  pauser *self = (pauser *)pointer;
  for (uint32_t i = 0; i < batch->event_count; i++) {
    /* Later versions may have longer elements, so the stride counts, not the size. */
    const kit_event_v1 *event =
        (const kit_event_v1 *)((const char *)batch->events + (uint64_t)i * batch->event_stride);
    if (event->session == 0) continue; /* belongs to no session */
    int is_changed = event->session != self->session;
    if (is_changed) {
      self->session = event->session;
      self->is_playing = 0;
      self->asked = self->paused = self->refused = 0;
    }
    if (take(self, batch, event)) is_changed = 1;
    if (is_changed && report(self, sink) < 0) return KIT_INTERNAL;
  }
  return KIT_OK;
}

#define WANT(type) ((uint64_t)1 << (type))

static const kit_monitor_v1 monitor = {
    sizeof(kit_monitor_v1),
    0,
    {WANT(KIT_EVENT_REQUEST) | WANT(KIT_EVENT_NETWORK) | WANT(KIT_EVENT_SESSION_STATE) | WANT(KIT_EVENT_ACTION_DONE), 0},
    on_events};

static const void *get_interface(const char *id) { return strcmp(id, KIT_MONITOR_ID) == 0 ? &monitor : NULL; }

static const kit_plugin_v1 plugin = {sizeof(kit_plugin_v1), KIT_ABI_MINOR, create, destroy, get_interface};

kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 **out) {
  (void)host;
  *out = &plugin;
  return KIT_OK;
}
