/* SPDX-License-Identifier: Apache-2.0
 * host.h: what the host offers to a plugin. */
#ifndef KITSHELL_HOST_H
#define KITSHELL_HOST_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif
/* Levels of log. */
enum { KIT_LOG_VERBOSE = 0, KIT_LOG_DEBUG = 1, KIT_LOG_INFO = 2, KIT_LOG_WARN = 3, KIT_LOG_ERROR = 4 };

/* Actions of request_action; each needs the capability KIT_CAP_ACTIONS and a grant of the user. */
enum {
  KIT_ACTION_PAUSE = 1, /* argument 0 */
  KIT_ACTION_PLAY = 2,  /* argument 0 */
  KIT_ACTION_STOP = 3,  /* argument 0 */
  KIT_ACTION_SEEK = 4   /* argument: media position, microseconds */
};

/* Services. Every slot is there; a service that this host does not have answers KIT_UNSUPPORTED. All are [any], except that
 * during the entry and create only log and report_error, and after destroy began only log, may be called. None of them calls
 * back into the plugin, none blocks for longer than a copy takes. The first argument is always the table itself, which lives
 * as long as the process. Texts are borrowed until the return. */
typedef struct kit_host_v1 {
  uint32_t struct_size;
  uint32_t abi_minor;              /* KIT_ABI_MINOR of the host */
  void *KIT_NULLABLE host_context; /* the host's own; do not touch */

  /* [any] Writes a line to the host's log, attributed to the plugin. `text` is copied; at most 4 KiB of it are kept and a plugin
   * that floods is cut and counted. An unknown level is taken as KIT_LOG_INFO. */
  void (*log)(const struct kit_host_v1 *host, int32_t level, kit_str text);

  /* [any] Says more about the failure that the running call is about to return. `self` is the instance, null in the entry and in
   * create. `text` is copied, at most 4 KiB of it. The last one before the return counts. */
  void (*report_error)(const struct kit_host_v1 *host, void *KIT_NULLABLE self, kit_result result, kit_str text);

  /* [any] Asks the host to act on the controller of `session`. `self` is the instance, which must have a pointer of its own;
   * `sequence` is that of the event that made it ask. What it returns depends on the request and on the user's grants only:
   * KIT_OK: taken. KIT_DENIED: the note lacks KIT_CAP_ACTIONS or the user did not grant it. KIT_BAD_ARG: an argument, or `self`
   * is no monitor or not the only one. KIT_UNSUPPORTED: an unknown action. KIT_LIMIT: more than 64 in a session.
   * What became of a request that was taken or denied follows as action_done, whose result may also be KIT_STALE (the source was
   * switched, the session ended, or the user gave a later command) or KIT_INTERNAL (it could not be done): report from that.
   * A replay executes nothing and grants everything; the recorded outcome follows. */
  kit_result (*request_action)(const struct kit_host_v1 *host, void *KIT_NULLABLE self, uint32_t session,
                               uint64_t sequence, int32_t action, int64_t argument);

  /* [any] A further service table by id (NUL-terminated, borrowed), static and immutable, alive as long as the process, or null
   * if this host has none of that id. */
  const void *KIT_NULLABLE (*get_interface)(const struct kit_host_v1 *host, const char *id);
} kit_host_v1;

#ifdef __cplusplus
}
#endif
#endif
