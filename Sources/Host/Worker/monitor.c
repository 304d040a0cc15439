/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor.h"

#include <string.h>

#include "call.h"
#include "instances.h"
#include "kitshell/note.h"

enum { NAME_MAX_BYTES = 64 };

static bool is_name(kit_str name) {
  if (name.ptr == NULL || name.len == 0 || name.len > NAME_MAX_BYTES) return false;
  for (uint64_t i = 0; i < name.len; i++) {
    char c = name.ptr[i];
    bool is_letter = c >= 'a' && c <= 'z';
    if (!is_letter && (i == 0 || !((c >= '0' && c <= '9') || c == '_'))) return false;
  }
  return true;
}

static bool is_key_used(const kit_report_v1 *report, uint32_t before, kit_str key) {
  for (uint32_t i = 0; i < before; i++) {
    const kit_field_v1 *field = (const void *)((const char *)report->fields + (uint64_t)i * report->field_stride);
    if (field->key.len == key.len && memcmp(field->key.ptr, key.ptr, key.len) == 0) return true;
  }
  return false;
}

/* Reports that were sent in this call. */
static uint32_t sent;

static kit_result send_report(const kit_report_v1 *report, kitw_header call) {
  if (report == NULL || report->struct_size < sizeof *report || !is_name(report->name)) return KIT_BAD_ARG;
  if (report->field_count > KITW_FIELDS_MAX) return KIT_BAD_ARG;
  if (report->field_count > 0 && (report->fields == NULL || report->field_stride < sizeof(kit_field_v1)))
    return KIT_BAD_ARG;
  if (sent == KITW_REPORTS_MAX) return KIT_LIMIT;

  outgoing message;
  kitw_field fields[KITW_FIELDS_MAX];
  kitw_report body = {.kind = report->kind,
                      .session = report->session,
                      .flags = report->flags,
                      .field_count = report->field_count};
  outgoing_begin(&message, KITW_REPORT, call.call, call.instance);
  outgoing_add(&message, &body, sizeof body);
  body.fields_offset = outgoing_add(&message, fields, report->field_count * sizeof fields[0]).offset;
  body.name = outgoing_add(&message, report->name.ptr, report->name.len);
  for (uint32_t i = 0; i < report->field_count; i++) {
    const kit_field_v1 *field = (const void *)((const char *)report->fields + (uint64_t)i * report->field_stride);
    if (field->struct_size < sizeof *field || !is_name(field->key) || is_key_used(report, i, field->key))
      return KIT_BAD_ARG;
    bool is_text = field->type == KIT_FIELD_STRING;
    if (is_text && field->text.ptr == NULL && field->text.len != 0) return KIT_BAD_ARG;
    fields[i] = (kitw_field){.type = field->type, .integer = field->integer, .number = field->number};
    fields[i].key = outgoing_add(&message, field->key.ptr, field->key.len);
    fields[i].text = outgoing_add(&message, field->text.ptr, is_text ? field->text.len : 0);
  }
  kit_result result = outgoing_send(&message);
  if (result == KIT_OK) sent++;
  return result;
}

/* Reports that were refused since the host was last told; what comes outside of a call is told with the next, or at the end. */
static uint32_t refused;

/* Says KIT_OK to what obeys the grammar of report.h and is not too much for one call; rates and sessions are judged, and cut, by the
   host. */
static kit_result sink_emit(const kit_report_sink_v1 *sink, const kit_report_v1 *report) {
  (void)sink;
  kitw_header call = call_lock();
  kit_result result = call.kind == KITW_EVENTS ? send_report(report, call) : KIT_STALE;
  if (result != KIT_OK && refused < UINT32_MAX) refused++;
  call_unlock();
  return result;
}

uint32_t monitor_take_refused(void) {
  call_lock();
  uint32_t count = refused;
  refused = 0;
  call_unlock();
  return count;
}

static const kit_report_sink_v1 sink = {.struct_size = sizeof sink, .emit = sink_emit};

void monitor_handle(const incoming *message, const library *loaded) {
  instance *monitor = instances_find(message, KIT_KIND_MONITOR);
  const kitw_events *wire = message_array(message, 0, 1, sizeof *wire);
  kit_str text;
  if (wire == NULL || !message_text(message, wire->text, &text)) message_reject("EVENTS");
  const kit_event_v1 *events = message_array(message, wire->events_offset, wire->event_count, sizeof *events);
  if (events == NULL) message_reject("records of EVENTS");
  for (uint32_t i = 0; i < wire->event_count; i++)
    if (events[i].struct_size != sizeof *events || events[i].text_offset > text.len ||
        events[i].text_length > text.len - events[i].text_offset)
      message_reject("a record of EVENTS");

  if (wire->event_count > 0) instances_note(monitor, events[wire->event_count - 1].session);
  kit_event_batch_v1 batch = {.struct_size = sizeof batch,
                              .controller = wire->controller,
                              .events = wire->event_count == 0 ? NULL : events,
                              .event_count = wire->event_count,
                              .event_stride = sizeof *events,
                              .text = text.ptr,
                              .text_length = text.len,
                              .dropped = wire->dropped};
  call_lock();
  sent = 0;
  call_unlock();
  kitw_result done = {.result = loaded->monitor->on_events(monitor->self, &batch, &sink)};
  done.refused = monitor_take_refused();
  call_end_with(KITW_EVENTS_DONE, done);
}
