/* SPDX-License-Identifier: Apache-2.0
 * library.h: loading the plugin, once a process. */
#ifndef WORKER_LIBRARY_H
#define WORKER_LIBRARY_H

#include "kitshell/lifecycle.h"
#include "kitshell/monitor.h"
#include "kitshell/plugin.h"
#include "message.h"

/* The plugin's tables; an interface that its note does not name is null. */
typedef struct library {
  const kit_plugin_v1 *plugin;
  const kit_monitor_v1 *monitor;
  const kit_lifecycle_v1 *lifecycle;
} library;

/* Answers LOAD. Returns whether the library can be used. Never unloads anything. */
bool library_load(const incoming *message, library *loaded);

#endif
