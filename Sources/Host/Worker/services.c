/* SPDX-License-Identifier: Apache-2.0 */
#include "services.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "instances.h"
#include "lifecycle.h"

static void send_line(uint32_t kind, int32_t code, kit_str text, kitw_header call) {
  if (text.ptr == NULL) text.len = 0;
  outgoing message;
  kitw_line body = {.code = code};
  outgoing_begin(&message, kind, call.call, call.instance);
  outgoing_add(&message, &body, sizeof body);
  body.text = outgoing_add(&message, text.ptr, text.len < KITW_TEXT_MAX ? text.len : KITW_TEXT_MAX);
  outgoing_send(&message);
}

void services_warn(const char *format, ...) {
  char text[KITW_TEXT_MAX];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  send_line(KITW_LOG, KIT_LOG_WARN, (kit_str){text, strlen(text)}, (kitw_header){0});
}

static void service_log(const kit_host_v1 *host, int32_t level, kit_str text) {
  (void)host;
  send_line(KITW_LOG, level, text, (kitw_header){0});
}

static void service_report_error(const kit_host_v1 *host, void *self, kit_result result, kit_str text) {
  (void)host;
  (void)self;
  kitw_header call = call_lock();
  if (call.kind == KITW_DECIDE)
    lifecycle_note_said(text);
  else
    send_line(KITW_ERROR_TEXT, result, text, call);
  call_unlock();
}

static kit_result service_request_action(const kit_host_v1 *host, void *self, uint32_t session, uint64_t sequence,
                                         int32_t action, int64_t argument) {
  (void)host;
  if (action < KIT_ACTION_PAUSE || action > KIT_ACTION_SEEK) return KIT_UNSUPPORTED;
  if (session == 0 || sequence == 0 || (action == KIT_ACTION_SEEK ? argument < 0 : argument != 0)) return KIT_BAD_ARG;
  uint32_t number = 0;
  kit_result result = instances_count_action(self, &number);
  if (result != KIT_OK && result != KIT_DENIED) return result;
  /* Also one that is denied: the host tells of it. */
  outgoing message;
  kitw_action body = {.sequence = sequence, .argument = argument, .session = session, .action = action};
  outgoing_begin(&message, KITW_ACTION, 0, number);
  outgoing_add(&message, &body, sizeof body);
  outgoing_send(&message);
  return result;
}

static const void *service_get_interface(const kit_host_v1 *host, const char *id) {
  (void)host, (void)id;
  return NULL;
}

static const kit_host_v1 services = {
    .struct_size = sizeof(kit_host_v1),
    .abi_minor = KIT_ABI_MINOR,
    .host_context = NULL,
    .log = service_log,
    .report_error = service_report_error,
    .request_action = service_request_action,
    .get_interface = service_get_interface,
};

const kit_host_v1 *host_services(void) { return &services; }
