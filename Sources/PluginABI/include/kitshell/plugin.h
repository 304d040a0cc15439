/* SPDX-License-Identifier: Apache-2.0
 * plugin.h: the entry and the plugin's table. */
#ifndef KITSHELL_PLUGIN_H
#define KITSHELL_PLUGIN_H

#include "base.h"
#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Types of option values. A list arrives as one kit_option_v1 an element, in order, under the same key. */
enum {
  KIT_OPTION_INT = 1,
  KIT_OPTION_DOUBLE = 2,
  KIT_OPTION_STRING = 3,
  KIT_OPTION_FLAG = 4,    /* integer is 0 or 1 */
  KIT_OPTION_DURATION = 5 /* integer is microseconds */
};

/* One option, checked by the host against the plugin's option note; defaults are filled in. */
typedef struct kit_option_v1 {
  uint32_t struct_size;
  uint32_t type;     /* KIT_OPTION_*: says which of the members below holds the value */
  kit_str key;
  int64_t integer;
  double number;
  kit_str text;
} kit_option_v1;

/* What an instance is created with. */
typedef struct kit_create_v1 {
  uint32_t struct_size;
  uint32_t kind;                              /* KIT_KIND_LIFECYCLE or KIT_KIND_MONITOR: what this instance will be asked for */
  kit_str instance_name;                      /* the name under which the user configured it */
  const kit_option_v1 *KIT_NULLABLE options;  /* null iff option_count is 0 */
  uint32_t option_count;
  uint32_t option_stride;
} kit_create_v1;

/* The plugin's table: static, immutable, alive as long as the library is mapped. No slot may be null.
 * FROZEN for major 1: behaviour is added through get_interface. */
typedef struct kit_plugin_v1 {
  uint32_t struct_size; /* sizeof(kit_plugin_v1) of the plugin */
  uint32_t abi_minor;   /* KIT_ABI_MINOR of the plugin's build */

  /* [serial] Makes an instance: one a pool (lifecycle) or one a controller (monitor). `host` may be kept until destroy returns;
   * during this call only its log and report_error may be used. `how` and all it points to are borrowed until the return.
   * On KIT_OK `*self` is the plugin's own pointer (may be null; null until the plugin sets it), passed back in every call and
   * never touched by the host. Budget 5 s. Any other result: the host reports it and goes on without the instance, and
   * destroy is not called for it. */
  kit_result (*create)(const kit_host_v1 *host, const kit_create_v1 *how, void *KIT_NULLABLE *self);

  /* [serial] Ends an instance that create made; called once, the last call with `self`. Threads of the plugin have ended and
   * nothing of the instance is referenced when it returns. Only log may be used. Budget 2 s, then the process it runs in is
   * killed, or its lane abandoned. An instance that did not come back from a call, or whose process died, is not destroyed. */
  void (*destroy)(void *KIT_NULLABLE self);

  /* [serial] The interface of that id (KIT_LIFECYCLE_ID, KIT_MONITOR_ID, or one of a newer header) as a static, immutable table
   * of the plugin's, or null if it is not offered. `id` is NUL-terminated and borrowed until the return. Called after the entry
   * and before the first create. Budget 5 s, together with the entry. Null for a kind that the note names, a table that is
   * too small or has a null slot: the plugin is refused. */
  const void *KIT_NULLABLE (*get_interface)(const char *id);
} kit_plugin_v1;

/* [serial] The one exported function: define it with exactly this signature, in C++ it is extern "C" by this declaration. Called
 * once a process, before anything else; `*out` (null before) receives the plugin's table. `host` lives as long as the process;
 * only its log and report_error may be used here. Budget 5 s. Any result but KIT_OK, a null table, one that is too small or
 * has a null slot, or a function that lies in another file: the plugin is refused. The major is part of the name, so one binary
 * can serve two majors. */
KIT_EXPORT kit_result kit_plugin_entry_v1(const kit_host_v1 *host, const kit_plugin_v1 *KIT_NULLABLE *out);

#define KIT_ENTRY_SYMBOL "kit_plugin_entry_v1"
typedef kit_result (*kit_plugin_entry_v1_fn)(const kit_host_v1 *host, const kit_plugin_v1 *KIT_NULLABLE *out);

#ifdef __cplusplus
}
#endif
#endif
