/* SPDX-License-Identifier: Apache-2.0
 * What Linux has and Swift's Glibc module does not show. */
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H

#include <dlfcn.h>
#include <linux/futex.h>
#include <linux/memfd.h>
#include <linux/rtnetlink.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* pidfd_open has no wrapper in this glibc's headers, and syscall() is variadic, which Swift cannot call. */
static inline int clinux_pidfd_open(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

/* The same holds for these. A futex in memory that processes share. `nanoseconds`: of the monotonic clock, from now. */
struct clinux_timespec {
  int64_t seconds;
  int64_t nanoseconds;
};
static inline int clinux_memory_file(const char *name) {
  return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}
static inline void clinux_futex_wait(const uint32_t *word, uint32_t expected, int64_t nanoseconds) {
  struct clinux_timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT, expected, &time, (void *)0, 0);
}
static inline void clinux_futex_wake(const uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE, 64, (void *)0, (void *)0, 0); }
enum { CLINUX_ADD_SEALS = 1033, CLINUX_SEAL_SEAL = 1, CLINUX_SEAL_SHRINK = 2, CLINUX_SEAL_GROW = 4 };

/* What the kernel can keep a process from: the version of Landlock, or less than 1; whether it filters system calls. */
enum { CLINUX_LANDLOCK_VERSION = 1, CLINUX_SECCOMP_ACTION_AVAILABLE = 2 };
static inline int clinux_landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, (void *)0, 0, CLINUX_LANDLOCK_VERSION);
}
static inline int clinux_has_system_call_filters(void) {
  uint32_t errno_action = 0x00050000;
  return syscall(SYS_seccomp, CLINUX_SECCOMP_ACTION_AVAILABLE, 0, &errno_action) == 0;
}

/* Swift's atomics do not live in memory that is mapped. */
static inline void clinux_add32(uint32_t *word, int32_t amount) { __atomic_add_fetch(word, (uint32_t)amount, __ATOMIC_SEQ_CST); }

/* prctl() is variadic as well. `name` has room for 16 bytes, the final zero included. */
static inline int clinux_set_thread_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }
static inline int clinux_get_thread_name(char *name) { return prctl(PR_GET_NAME, name, 0, 0, 0); }
/* Sends this process the signal once the thread that started it is gone. */
static inline int clinux_signal_at_parents_end(int signal) { return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0); }

/* Asks for a line of memory that is about to be written, so that the write need not wait for another core to give it up. No
 * effect but on speed; any address will do. clang would ask for reading here, for the sake of the first 64-bit processors. */
static inline void clinux_prefetch_for_writing(const void *address) {
#if defined(__x86_64__)
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
#else
  __builtin_prefetch(address, 1);
#endif
}

/* How this thread's floating-point unit rounds, and whether it takes very small numbers for zero; the flags of what happened so far are not
 * in it. Where that is not known it is 0. */
static inline uint64_t clinux_float_mode(void) {
#if defined(__x86_64__)
  uint32_t mode;
  __asm__ volatile("stmxcsr %0" : "=m"(mode));
  return mode & ~0x3fu;
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
#else
  return 0;
#endif
}
static inline void clinux_set_float_mode(uint64_t mode) {
#if defined(__x86_64__)
  uint32_t word = (uint32_t)mode;
  __asm__ volatile("ldmxcsr %0" : : "m"(word));
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#else
  (void)mode;
#endif
}

/* dladdr1 and dlinfo: glibc declares them only under _GNU_SOURCE, which the importer does not define. Both give the
 * link_map of an object, which identifies it. */
struct clinux_symbol_info {
  const char *file;
  void *base;
  const char *name;
  void *address;
};
enum { CLINUX_LINK_MAP = 2 /* RTLD_DL_LINKMAP and RTLD_DI_LINKMAP */ };
extern int clinux_dladdr1(const void *address, struct clinux_symbol_info *info, void **map, int what) __asm__("dladdr1");
extern int clinux_dlinfo(void *handle, int what, void *map) __asm__("dlinfo");

/* The same again: what only _GNU_SOURCE shows. `actions` is a posix_spawn_file_actions_t, whose header stays out. */
extern int clinux_pipe2(int ends[2], int flags) __asm__("pipe2");
extern int clinux_spawn_close_from(void *actions, int from) __asm__("posix_spawn_file_actions_addclosefrom_np");
extern const char *clinux_signal_name(int signal) __asm__("sigabbrev_np");

#endif
