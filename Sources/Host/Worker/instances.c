/* SPDX-License-Identifier: Apache-2.0 */
#include "instances.h"

#include <pthread.h>

#include "call.h"
#include "kitshell/note.h"
#include "monitor.h"
#include "services.h"

/* Changed by the main thread, under the lock; other threads of the plugin look for theirs when they ask for an action. */
static instance instances[KITW_INSTANCES_MAX];
static pthread_mutex_t places = PTHREAD_MUTEX_INITIALIZER;

static void set(instance *place, instance value) {
  pthread_mutex_lock(&places);
  *place = value;
  pthread_mutex_unlock(&places);
}

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
  if (result == KIT_OK)
    set(place, (instance){.number = number, .kind = how->kind, .self = self, .may_act = how->may_act == 1});
  call_end_with(KITW_CREATED, (kitw_result){.result = result});
}

instance *instances_find(const incoming *message, uint32_t kind) {
  instance *found = message->header.instance == 0 ? NULL : find(message->header.instance);
  if (found == NULL || found->kind != kind) message_reject("a call for an instance that is not there");
  return found;
}

void instances_note(instance *monitor, uint32_t session) {
  if (monitor->session == session) return;
  instance noted = *monitor;
  noted.session = session;
  noted.actions = 0;
  set(monitor, noted);
}

kit_result instances_count_action(const void *self, uint32_t *number) {
  instance *found = NULL;
  uint32_t count = 0;
  kit_result result = KIT_BAD_ARG;
  pthread_mutex_lock(&places);
  for (uint32_t i = 0; i < KITW_INSTANCES_MAX; i++)
    if (instances[i].number != 0 && instances[i].kind == KIT_KIND_MONITOR && instances[i].self == self) {
      found = &instances[i];
      count++;
    }
  if (count == 1) {
    *number = found->number;
    result = found->actions == KITW_ACTIONS_MAX ? KIT_LIMIT : found->may_act ? KIT_OK : KIT_DENIED;
    if (result != KIT_LIMIT) found->actions++;
  }
  pthread_mutex_unlock(&places);
  return result;
}

void instances_destroy(const incoming *message, const library *loaded) {
  instance *found = message->header.instance == 0 ? NULL : find(message->header.instance);
  if (found == NULL) message_reject("DESTROY of an instance that is not there");
  void *self = found->self;
  set(found, (instance){0});
  loaded->plugin->destroy(self);
  call_end_with(KITW_DESTROYED, (kitw_result){.refused = monitor_take_refused()});
}
