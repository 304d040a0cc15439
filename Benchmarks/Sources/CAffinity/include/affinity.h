/* SPDX-License-Identifier: Apache-2.0
 * On which processor a thread runs, which glibc declares only under _GNU_SOURCE. */
#ifndef AFFINITY_H
#define AFFINITY_H

/* Keeps the calling thread, and those that it starts from now on, on the processor that it is on. 0, or an errno. */
int affinity_stay(void);

/* Lets the calling thread run wherever it could before. 0, or an errno. */
int affinity_roam(void);

#endif
