/* SPDX-License-Identifier: Apache-2.0
 * crash.h: where the plugin crashed, written down for the host before the worker dies of it. */
#ifndef WORKER_CRASH_H
#define WORKER_CRASH_H

/* Watches the signals of faults from now on, on a stack of its own for this thread. A plugin that handles them itself is not
 * interfered with. */
void crash_watch(void);

#endif
