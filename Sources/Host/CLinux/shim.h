/* SPDX-License-Identifier: Apache-2.0
 * What Linux has and Swift's Glibc module does not show. */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <dlfcn.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* pidfd_open has no wrapper in this glibc's headers, and syscall() is variadic, which Swift cannot call. */
static inline int clinux_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

#endif
