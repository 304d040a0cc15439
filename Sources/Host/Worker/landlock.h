/* SPDX-License-Identifier: Apache-2.0
 * landlock.h: the wall around files, ports and signals. */
#ifndef WORKER_LANDLOCK_H
#define WORKER_LANDLOCK_H

#include "sandbox.h"

/* Restricts this thread, and those that it starts, for good. Needs no_new_privs. Returns KITW_WALL_* of what it guards; 0, and `why`,
 * if the kernel has none of it. */
uint32_t landlock_close(const sandbox_order *order, char *why, size_t why_size);

#endif
