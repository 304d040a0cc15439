/* SPDX-License-Identifier: Apache-2.0
 * base.h: versions, results, strings, times. */
#ifndef KITSHELL_BASE_H
#define KITSHELL_BASE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers. A host accepts a plugin iff the majors are equal, the plugin's lowest needed minor is at
 * most the host's, and the minor it was built against is at least the oldest one that the host still serves. */
#define KIT_ABI_MAJOR 1
#define KIT_ABI_MINOR 0

/* Marks a pointer that may be null; every other one may not. It expands to nothing: gcc has no such qualifier, and the host
 * trusts no pointer of a plugin anyway. */
#define KIT_NULLABLE

/* Marks the one symbol that a plugin exports; the rest is best hidden with -fvisibility=hidden. */
#define KIT_EXPORT __attribute__((visibility("default")))

/* Result of every call across the boundary. A negative value that is not listed is treated as KIT_INTERNAL, a positive one
 * that is not listed as KIT_DECLINE. Say more about a failure with host->report_error before you return it. */
typedef int32_t kit_result;
enum {
  KIT_OK = 0,
  KIT_DECLINE = 1,      /* "take the default": costs no health */
  KIT_BAD_ARG = -1,     /* an argument breaks the contract of its header */
  KIT_UNSUPPORTED = -2, /* this side does not offer that */
  KIT_STALE = -3,       /* a handle, session or sequence that is no longer current */
  KIT_LIMIT = -4,       /* a size, count or rate was exceeded */
  KIT_DEADLINE = -5,    /* out of time */
  KIT_DENIED = -6,      /* the capability was not granted */
  KIT_CONFIG = -7,      /* the options cannot be used together (create only) */
  KIT_INTERNAL = -8,    /* a defect on the answering side */
  KIT_FATAL = -9        /* "never call this instance again" */
};

/* Text: UTF-8, not NUL-terminated. ptr may be null only if len is 0. An id that is not valid refuses the plugin; other bad
 * text has its bad bytes replaced. Lives as long as what carries it. */
typedef struct kit_str {
  const char *ptr;
  uint64_t len;
} kit_str;

/* Times and media positions are microseconds in int64_t everywhere; members so named end in _us. Unknown is this value, never 0. */
#define KIT_UNKNOWN INT64_MIN

/* A player of the host's pool: {index, generation}. 0 is no player. A stale or forged handle is an error, never a crash. */
typedef uint64_t kit_player;

#ifdef __cplusplus
}
#endif
#endif
