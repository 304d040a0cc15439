/* SPDX-License-Identifier: Apache-2.0
 * sandbox.h: what the code of this worker may ask of the system. Closed before the first byte of the plugin runs, never opened again.
 *
 * Three walls: system calls (seccomp), files, ports and signals (Landlock, where the kernel has it), amounts (resource limits). What is
 * denied fails with an error and is told to the host; what no plugin needs while it blocks signals (a process, a thread that was not
 * granted) ends the worker with SIGSYS. */
#ifndef WORKER_SANDBOX_H
#define WORKER_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Absolute paths, each followed by a NUL; `length` counts those too. */
typedef struct path_list {
  const char *bytes;
  size_t length;
} path_list;

/* The path after `path`, the first one for null; null at the end. */
static inline const char *path_list_next(const path_list *list, const char *path) {
  const char *next = path == NULL ? list->bytes : path + strlen(path) + 1;
  return list->length == 0 || next >= list->bytes + list->length ? NULL : next;
}

/* A file as the host has found it. */
typedef struct known_file {
  const char *path;
  uint64_t device;
  uint64_t inode;
} known_file;

typedef struct sandbox_order {
  uint32_t grants;             /* KIT_CAP_* */
  const known_file *libraries; /* files beside the system's library directories that loading the plugin reads */
  uint32_t library_count;
  path_list readable; /* what a grant names: files, or directories with all that is in them */
  path_list writable;
} sandbox_order;

/* Closes it. `walls` becomes KITW_WALL_* of those that stand, `why` says what keeps the others from it.
 * False: without seccomp nothing would hold; `why` says what failed, and the process must not load anything. */
bool sandbox_close(const sandbox_order *order, uint32_t *walls, char *why, size_t why_size);

/* The plugin is loaded. Where Landlock does not guard files, none is opened from here on. */
bool sandbox_seal(char *why, size_t why_size);

#endif
