/* SPDX-License-Identifier: Apache-2.0 */
#include "instances.h"

#include "call.h"
#include "kitshell/note.h"
#include "services.h"

static instance instances[KITW_INSTANCES_MAX];

static instance *find(uint32_t number) {
  for (uint32_t i = 0; i < KITW_INSTANCES_MAX; i++)
    if (instances[i].number == number) return &instances[i];
  return NULL;
}

static void read_options(const incoming *message, const kitw_create *how, kit_option_v1 *options) {
  const kitw_option *wire = message_array(message, how->options_offset, how->option_count, sizeof *wire);
  if (wire == NULL) message_reject("options of CREATE");
  for (uint32_t i = 0; i < how->option_count; i++) {
    options[i] = (kit_option_v1){.struct_size = sizeof options[i],
                                 .type = wire[i].type,
                                 .integer = wire[i].integer,
                                 .number = wire[i].number};
    if (!message_text(message, wire[i].key, &options[i].key) || !message_text(message, wire[i].text, &options[i].text))
      message_reject("texts of CREATE");
  }
}

void instances_create(const incoming *message, const library *loaded) {
  static kit_option_v1 options[KITW_BODY_MAX / sizeof(kitw_option)];
  const kitw_create *how = message_array(message, 0, 1, sizeof *how);
  uint32_t number = message->header.instance;
  if (how == NULL || number == 0 || find(number) != NULL) message_reject("CREATE");
  if (how->kind == KIT_KIND_MONITOR ? loaded->monitor == NULL
                                    : how->kind != KIT_KIND_LIFECYCLE || loaded->lifecycle == NULL)
    message_reject("kind of CREATE");
  kit_create_v1 request = {.struct_size = sizeof request,
                           .kind = how->kind,
                           .options = how->option_count == 0 ? NULL : options,
                           .option_count = how->option_count,
                           .option_stride = sizeof options[0]};
  if (!message_text(message, how->name, &request.instance_name)) message_reject("name of CREATE");
  read_options(message, how, options);

  instance *place = find(0);
  void *self = NULL;
  kit_result result = place == NULL ? KIT_LIMIT : loaded->plugin->create(host_services(), &request, &self);
  if (result == KIT_OK) *place = (instance){.number = number, .kind = how->kind, .self = self};
  call_end_with(KITW_CREATED, result);
}

instance *instances_find(const incoming *message, uint32_t kind) {
  instance *found = message->header.instance == 0 ? NULL : find(message->header.instance);
  if (found == NULL || found->kind != kind) message_reject("a call for an instance that is not there");
  return found;
}

void instances_destroy(const incoming *message, const library *loaded) {
  instance *found = message->header.instance == 0 ? NULL : find(message->header.instance);
  if (found == NULL) message_reject("DESTROY of an instance that is not there");
  loaded->plugin->destroy(found->self);
  *found = (instance){0};
  outgoing answer;
  call_answer(&answer, KITW_DESTROYED);
  call_end(&answer);
}
