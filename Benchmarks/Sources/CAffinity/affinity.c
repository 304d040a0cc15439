/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "affinity.h"

#include <errno.h>
#include <sched.h>

static cpu_set_t before;

int affinity_stay(void) {
  cpu_set_t here;
  int processor = sched_getcpu();
  if (processor < 0 || sched_getaffinity(0, sizeof before, &before) != 0) return errno;
  CPU_ZERO(&here);
  CPU_SET(processor, &here);
  return sched_setaffinity(0, sizeof here, &here) == 0 ? 0 : errno;
}

int affinity_roam(void) { return sched_setaffinity(0, sizeof before, &before) == 0 ? 0 : errno; }
