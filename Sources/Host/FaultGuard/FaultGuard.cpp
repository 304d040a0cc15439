/* SPDX-License-Identifier: Apache-2.0 */
#include "FaultGuard.h"

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <typeinfo>

namespace {

void append(fault_guard_text text, const char *more) {
  if (!more) return;
  const uint64_t used = strnlen(text.bytes, text.capacity);
  if (used + 1 >= text.capacity) return;
  const uint64_t length = strnlen(more, text.capacity - used - 1);
  memcpy(text.bytes + used, more, length);
  text.bytes[used + length] = '\0';
}

void append_type(fault_guard_text text) {
  const std::type_info *type = abi::__cxa_current_exception_type();
  if (!type) return append(text, "an exception that is not C++");
  int status = 0;
  char *name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  append(text, name ? name : type->name());
  free(name);
}

template <typename Call> fault_guard_outcome guarded(bool slot, fault_guard_text text, Call call) {
  text.bytes[0] = '\0';
  if (!slot) return {KIT_BAD_ARG, FAULT_GUARD_NO_SLOT};
  try {
    return {call(), FAULT_GUARD_RETURNED};
  } catch (abi::__forced_unwind &) {
    throw; /* the thread is being ended; glibc aborts if that is swallowed */
  } catch (const std::exception &error) {
    append_type(text);
    append(text, ": ");
    append(text, error.what()); /* cannot throw, may be null */
  } catch (...) {
    append_type(text);
  }
  return {KIT_INTERNAL, FAULT_GUARD_THREW};
}

}  // namespace

extern "C" fault_guard_outcome fault_guard_entry(kit_plugin_entry_v1_fn entry, const kit_host_v1 *host,
                                                 const kit_plugin_v1 **out, fault_guard_text text) {
  return guarded(entry != nullptr, text, [&] { return entry(host, out); });
}

extern "C" fault_guard_outcome fault_guard_get_interface(const kit_plugin_v1 *plugin, const char *id,
                                                         const void **out, fault_guard_text text) {
  return guarded(plugin->get_interface != nullptr, text, [&] {
    *out = plugin->get_interface(id);
    return static_cast<kit_result>(KIT_OK);
  });
}

extern "C" fault_guard_outcome fault_guard_create(const kit_plugin_v1 *plugin, const kit_host_v1 *host,
                                                  const kit_create_v1 *how, void **self, fault_guard_text text) {
  return guarded(plugin->create != nullptr, text, [&] { return plugin->create(host, how, self); });
}

extern "C" fault_guard_outcome fault_guard_destroy(const kit_plugin_v1 *plugin, void *self, fault_guard_text text) {
  return guarded(plugin->destroy != nullptr, text, [&] {
    plugin->destroy(self);
    return static_cast<kit_result>(KIT_OK);
  });
}

extern "C" fault_guard_outcome fault_guard_on_events(const kit_monitor_v1 *monitor, void *self,
                                                     const kit_event_batch_v1 *batch, const kit_report_sink_v1 *sink,
                                                     fault_guard_text text) {
  return guarded(monitor->on_events != nullptr, text, [&] { return monitor->on_events(self, batch, sink); });
}

extern "C" fault_guard_outcome fault_guard_decide(const kit_lifecycle_v1 *lifecycle, void *self,
                                                  const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision,
                                                  fault_guard_text text) {
  return guarded(lifecycle->decide != nullptr, text, [&] { return lifecycle->decide(self, request, decision); });
}
