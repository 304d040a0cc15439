/* SPDX-License-Identifier: Apache-2.0
 * monitor.h: handing event batches to a monitor, and its reports back. */
#ifndef WORKER_MONITOR_H
#define WORKER_MONITOR_H

#include "library.h"

/* Answers EVENTS. */
void monitor_handle(const incoming *message, const library *loaded);

/* How many reports were refused and not told of yet, which they are by the caller. */
uint32_t monitor_take_refused(void);

#endif
