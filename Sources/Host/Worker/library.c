/* SPDX-License-Identifier: Apache-2.0 */
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "call.h"
#include "kitshell/note.h"
#include "sandbox.h"
#include "services.h"

/* What LOADED will say. */
typedef struct outcome {
  kitw_loaded body;
  char detail[KITW_TEXT_MAX];
} outcome;

__attribute__((format(printf, 4, 5))) static bool failed(outcome *outcome, uint32_t stage, kit_result result,
                                                         const char *format, ...) {
  outcome->body.stage = stage;
  outcome->body.result = result;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(outcome->detail, sizeof outcome->detail, format, arguments);
  va_end(arguments);
  return false;
}

static bool is_inspected_file(const char *path, const kitw_load *expected, outcome *outcome) {
  struct stat found;
  if (stat(path, &found) != 0)
    return failed(outcome, KITW_STAGE_IDENTITY, KIT_STALE, "cannot look at it: %s", strerror(errno));
  int64_t mtime_ns = (int64_t)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;
  if (found.st_dev != expected->device || found.st_ino != expected->inode ||
      (uint64_t)found.st_size != expected->size || mtime_ns != expected->mtime_ns)
    return failed(outcome, KITW_STAGE_IDENTITY, KIT_STALE, "the file changed after it was inspected");
  return true;
}

static kit_plugin_entry_v1_fn find_entry(void *handle, outcome *outcome) {
  void *symbol = dlsym(handle, KIT_ENTRY_SYMBOL);
  if (symbol == NULL) {
    failed(outcome, KITW_STAGE_SYMBOL, KIT_UNSUPPORTED, "it has no " KIT_ENTRY_SYMBOL);
    return NULL;
  }
  /* dlsym also finds what a dependency exports. */
  struct link_map *own = NULL, *owner = NULL;
  Dl_info info;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &own) != 0 || dladdr1(symbol, &info, (void **)&owner, RTLD_DL_LINKMAP) == 0 ||
      owner != own) {
    failed(outcome, KITW_STAGE_SYMBOL, KIT_UNSUPPORTED, KIT_ENTRY_SYMBOL " belongs to %s, which it depends on",
           owner != NULL && owner->l_name[0] != 0 ? owner->l_name : "another file");
    return NULL;
  }
  kit_plugin_entry_v1_fn entry;
  memcpy(&entry, &symbol, sizeof entry);
  return entry;
}

static bool find_interfaces(uint32_t kinds, library *loaded, outcome *outcome) {
  if (kinds & KIT_KIND_MONITOR) {
    const kit_monitor_v1 *monitor = loaded->plugin->get_interface(KIT_MONITOR_ID);
    if (monitor == NULL || monitor->struct_size < sizeof *monitor || monitor->on_events == NULL)
      return failed(outcome, KITW_STAGE_INTERFACE, KIT_UNSUPPORTED,
                    "its note names a monitor, but " KIT_MONITOR_ID " is %s",
                    monitor == NULL ? "not offered" : "too short or has a null slot");
    loaded->monitor = monitor;
    memcpy(outcome->body.event_mask, monitor->event_mask, sizeof outcome->body.event_mask);
  }
  if (kinds & KIT_KIND_LIFECYCLE) {
    const kit_lifecycle_v1 *lifecycle = loaded->plugin->get_interface(KIT_LIFECYCLE_ID);
    if (lifecycle == NULL || lifecycle->struct_size < sizeof *lifecycle || lifecycle->decide == NULL)
      return failed(outcome, KITW_STAGE_INTERFACE, KIT_UNSUPPORTED,
                    "its note names a lifecycle strategy, but " KIT_LIFECYCLE_ID " is %s",
                    lifecycle == NULL ? "not offered" : "too short or has a null slot");
    loaded->lifecycle = lifecycle;
  }
  return true;
}

static path_list paths(const incoming *message, kitw_text where) {
  kit_str text;
  if (!message_text(message, where, &text) || (text.len > 0 && text.ptr[text.len - 1] != 0)) message_reject("paths of LOAD");
  return (path_list){text.ptr, text.len};
}

/* Runtimes of languages set themselves up as they are loaded, with more than a plugin may. A missing one is dlopen's to name. */
static void load_runtimes(path_list names) {
  for (const char *name = path_list_next(&names, NULL); name != NULL; name = path_list_next(&names, name))
    dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static uint32_t known_files(const incoming *message, const kitw_load *how, known_file *files) {
  const kitw_library *wire = message_array(message, how->libraries_offset, how->library_count, sizeof *wire);
  if (wire == NULL || how->library_count > KITW_LIBRARIES_MAX) message_reject("libraries of LOAD");
  for (uint32_t i = 0; i < how->library_count; i++) {
    path_list path = paths(message, wire[i].path);
    if (path.length == 0) message_reject("a library of LOAD");
    files[i] = (known_file){path.bytes, wire[i].device, wire[i].inode};
  }
  return how->library_count;
}

/* Also of none: the host takes the first that it is told, which has to be this one. */
static void tell_walls(uint32_t walls, const char *missing) {
  outgoing message;
  kitw_walls body = {.walls = walls};
  call_answer(&message, KITW_WALLS);
  outgoing_add(&message, &body, sizeof body);
  body.missing = outgoing_add(&message, missing, strlen(missing));
  outgoing_send(&message);
}

/* From here on nothing of the plugin can run outside. */
static bool close_sandbox(const incoming *message, const kitw_load *how, outcome *outcome) {
  static known_file files[KITW_LIBRARIES_MAX];
  sandbox_order order = {.grants = how->grants,
                         .libraries = files,
                         .library_count = known_files(message, how, files),
                         .readable = paths(message, how->readable),
                         .writable = paths(message, how->writable)};
  uint32_t walls = 0;
  char why[KITW_TEXT_MAX] = "";
  load_runtimes(paths(message, how->runtimes));
  bool is_closed = sandbox_close(&order, &walls, why, sizeof why);
  tell_walls(walls, why);
  return is_closed || failed(outcome, KITW_STAGE_SANDBOX, KIT_DENIED, "%s", why);
}

static bool load(const incoming *message, const char *path, const kitw_load *how, library *loaded, outcome *outcome) {
  if (!is_inspected_file(path, how, outcome)) return false;
  if (!how->sandbox)
    tell_walls(0, "");
  else if (!close_sandbox(message, how, outcome))
    return false;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == NULL) {
    const char *why = dlerror();
    return failed(outcome, KITW_STAGE_OPEN, KIT_INTERNAL, "%s", why != NULL ? why : "dlopen gave no reason");
  }
  if (!is_inspected_file(path, how, outcome)) return false;
  struct link_map *map = NULL;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) message_note_plugin(map->l_addr);
  kit_plugin_entry_v1_fn entry = find_entry(handle, outcome);
  if (entry == NULL) return false;

  const kit_plugin_v1 *plugin = NULL;
  kit_result result = entry(host_services(), &plugin);
  if (result != KIT_OK)
    return failed(outcome, KITW_STAGE_ENTRY, result, KIT_ENTRY_SYMBOL " refused with result %d", (int)result);
  if (plugin == NULL) return failed(outcome, KITW_STAGE_TABLE, KIT_BAD_ARG, KIT_ENTRY_SYMBOL " gave no table");
  if (plugin->struct_size < sizeof *plugin)
    return failed(outcome, KITW_STAGE_TABLE, KIT_BAD_ARG, "its table is %u bytes long, version 1 has %zu",
                  plugin->struct_size, sizeof *plugin);
  if (plugin->create == NULL || plugin->destroy == NULL || plugin->get_interface == NULL)
    return failed(outcome, KITW_STAGE_TABLE, KIT_BAD_ARG, "its table has a null slot");
  loaded->plugin = plugin;
  if (!find_interfaces(how->kinds, loaded, outcome)) return false;
  char why[256];
  return !how->sandbox || sandbox_seal(why, sizeof why) || failed(outcome, KITW_STAGE_SANDBOX, KIT_DENIED, "%s", why);
}

bool library_load(const incoming *message, library *loaded) {
  const kitw_load *how = message_array(message, 0, 1, sizeof *how);
  kit_str text;
  char path[PATH_MAX];
  if (how == NULL || !message_text(message, how->path, &text) || text.len == 0 || text.len >= sizeof path)
    message_reject("LOAD");
  memcpy(path, text.ptr, text.len);
  path[text.len] = 0;

  static outcome outcome;
  bool is_usable = load(message, path, how, loaded, &outcome);
  if (is_usable) outcome.body.stage = KITW_STAGE_DONE;

  outgoing answer;
  call_answer(&answer, KITW_LOADED);
  outgoing_add(&answer, &outcome.body, sizeof outcome.body);
  outcome.body.detail = outgoing_add(&answer, outcome.detail, strlen(outcome.detail));
  call_end(&answer);
  return is_usable;
}
