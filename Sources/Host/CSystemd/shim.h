/* SPDX-License-Identifier: Apache-2.0
 * The part of sd-bus that is used, found when it is first needed: loading libsystemd costs a start-up more than a millisecond, and
 * a machine may have none. */
#ifndef CSYSTEMD_SHIM_H
#define CSYSTEMD_SHIM_H

#include <dlfcn.h>
#include <systemd/sd-bus.h>

#define CSYSTEMD_FUNCTIONS(each) \
  each(bus_add_match_async) each(bus_call_async) each(bus_close_unref) each(bus_get_events) each(bus_get_fd) \
  each(bus_get_timeout) each(bus_new) each(bus_open_system) each(bus_process) each(bus_set_address) \
  each(bus_set_bus_client) each(bus_start) each(bus_message_append_basic) each(bus_message_at_end) \
  each(bus_message_enter_container) each(bus_message_exit_container) each(bus_message_is_method_error) \
  each(bus_message_new_method_call) each(bus_message_read_basic) each(bus_message_set_auto_start) \
  each(bus_message_skip) each(bus_message_unref)

struct csystemd {
#define CSYSTEMD_MEMBER(name) __typeof__(&sd_##name) name;
  CSYSTEMD_FUNCTIONS(CSYSTEMD_MEMBER)
#undef CSYSTEMD_MEMBER
};

/* Fills the table; 0 if the library or one of its functions is not there. */
static inline int csystemd_load(struct csystemd *table) {
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 0;
#define CSYSTEMD_FIND(name) \
  if ((table->name = (__typeof__(&sd_##name))dlsym(library, "sd_" #name)) == NULL) return 0;
  CSYSTEMD_FUNCTIONS(CSYSTEMD_FIND)
#undef CSYSTEMD_FIND
  return 1;
}

#endif
