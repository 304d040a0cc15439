/* SPDX-License-Identifier: Apache-2.0
 * lifecycle.h: kit.lifecycle/1, one pure decision over a view of the pool. */
#ifndef KITSHELL_LIFECYCLE_H
#define KITSHELL_LIFECYCLE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif
#define KIT_LIFECYCLE_ID "kit.lifecycle/1"

/* State of a player of the pool. */
enum { KIT_PLAYER_IDLE = 1, KIT_PLAYER_ACTIVE = 2, KIT_PLAYER_UNBOUND = 3 /* prepared ahead, no id yet */ };
/* Flags of a player. */
enum { KIT_PLAYER_PLAYING = 1, KIT_PLAYER_LENT = 2 };
/* How far an item was brought. */
enum { KIT_STAGE_NONE = 0, KIT_STAGE_CONNECTED = 1, KIT_STAGE_CACHED = 2, KIT_STAGE_PREPARED = 3, KIT_STAGE_FIRST_FRAME = 4 };

/* One player, as the host sees it at the time of the request. */
typedef struct kit_player_v1 {
  uint32_t struct_size;
  uint32_t state; /* KIT_PLAYER_IDLE, _ACTIVE, _UNBOUND */
  uint32_t flags; /* KIT_PLAYER_PLAYING, _LENT */
  uint32_t stage; /* KIT_STAGE_* */
  kit_player handle;
  kit_str unique_id; /* empty: none */
  int64_t bytes_held;    /* memory in its buffers, KIT_UNKNOWN if not known */
  uint64_t created_seq;  /* the *_seq are values of one counter of the pool: order without a clock; 0: never */
  uint64_t acquired_seq;
  uint64_t idle_seq;
} kit_player_v1;

/* Something the app may play next. */
typedef struct kit_upcoming_v1 {
  uint32_t struct_size;
  int32_t distance; /* 1 is next, 2 the one after; negative: behind */
  kit_str unique_id;
  kit_player handle; /* the player that holds it, 0 if none */
  uint32_t stage;    /* KIT_STAGE_* it has reached */
  uint32_t reserved;
} kit_upcoming_v1;

enum { KIT_REQUEST_ACQUIRE = 1, KIT_REQUEST_RECYCLE = 2, KIT_REQUEST_PLAN = 3 };
/* Reasons of a PLAN. */
enum {
  KIT_PLAN_PRELOAD = 1,  /* how many to create */
  KIT_PLAN_CLEAR = 2,    /* which to destroy; an active one is destroyed when it comes back */
  KIT_PLAN_RESIZE = 3,   /* max_pool_size changed */
  KIT_PLAN_PRESSURE = 4, /* memory is short */
  KIT_PLAN_IDLE = 5,     /* the pool was not used for as long as the app allows */
  KIT_PLAN_UPCOMING = 6  /* what may come next changed */
};
enum { KIT_SOURCE_UNKNOWN = 0, KIT_SOURCE_FILE = 1, KIT_SOURCE_URL = 2, KIT_SOURCE_VID = 3 };
enum { KIT_PRESSURE_MODERATE = 1, KIT_PRESSURE_CRITICAL = 2 };
enum { KIT_SCOPE_ALL = 1 };
/* Flags of a request. */
enum { KIT_REQUEST_FORCE = 1 /* RECYCLE: the app wants the player gone; an answer that keeps it is a fault */ };

/* The question. Everything the answer may depend on is in here, so a strategy can be a stateless function and any decision
 * can be replayed. All pointers live until decide returns. */
typedef struct kit_pool_request_v1 {
  uint32_t struct_size;
  uint32_t kind;   /* KIT_REQUEST_*; answer KIT_DECLINE to one you do not know */
  uint32_t reason; /* KIT_PLAN_*, 0 unless kind is PLAN; the same holds for unknown ones */
  uint32_t flags;  /* KIT_REQUEST_FORCE */
  int64_t now_us;  /* event time */
  const kit_player_v1 *KIT_NULLABLE players; /* the whole pool in order of creation; null iff player_count is 0 */
  uint32_t player_count;
  uint32_t player_stride;
  int64_t max_pool_size; /* advice to keep; KIT_UNKNOWN: none is set */
  int64_t hard_max;      /* enforced by the host; KIT_UNKNOWN: none */
  kit_str unique_id;     /* ACQUIRE, RECYCLE: of the source, may be empty */
  kit_player handle;     /* RECYCLE: the player that comes back */
  uint32_t source_kind;  /* ACQUIRE: KIT_SOURCE_* */
  uint32_t level;        /* PRESSURE: KIT_PRESSURE_*; CLEAR: KIT_SCOPE_* */
  int64_t count;         /* PRELOAD: how many are asked for */
  const kit_upcoming_v1 *KIT_NULLABLE upcoming; /* UPCOMING: in the app's order; null iff upcoming_count is 0 */
  uint32_t upcoming_count;
  uint32_t upcoming_stride;
} kit_pool_request_v1;

enum { KIT_ACQUIRE_CREATE = 1, KIT_ACQUIRE_USE = 2, KIT_ACQUIRE_REFUSE = 3 };
enum { KIT_RECYCLE_KEEP = 1, KIT_RECYCLE_DESTROY = 2 };

/* One thing to prepare ahead. */
typedef struct kit_prepare_v1 {
  uint32_t struct_size;
  uint32_t item;     /* index into upcoming */
  uint32_t stage;    /* KIT_STAGE_* it should reach */
  uint32_t reserved;
  kit_player handle; /* in which player; 0: in one to be created */
} kit_prepare_v1;

/* The answer. The host zeroes it, sets struct_size, the buffers and their capacities; the strategy fills in the rest and
 * leaves those alone. The buffers are the host's and live until decide returns. An answer that has action 0 for an ACQUIRE or RECYCLE
 * (who wants the default returns KIT_DECLINE), names an unknown handle, takes a player in use without KIT_FLAG_TAKES_OVER, lists one twice,
 * keeps one against KIT_REQUEST_FORCE, or passes hard_max is not executed: the default is (create; destroy; evict nothing;
 * prepare nothing), and a fault is counted. Lists are executed in the order given. */
typedef struct kit_pool_decision_v1 {
  uint32_t struct_size;
  uint32_t action;       /* ACQUIRE: KIT_ACQUIRE_*; RECYCLE: KIT_RECYCLE_*; PLAN: 0 */
  kit_player handle;     /* KIT_ACQUIRE_USE: which player */
  int64_t create_count;  /* PRELOAD: how many to create */
  kit_player *KIT_NULLABLE evict;      /* room for evict_capacity handles; null iff that is 0. CLEAR: handles to destroy */
  uint32_t evict_capacity;
  uint32_t evict_count;
  kit_prepare_v1 *KIT_NULLABLE prepare; /* room for prepare_capacity items (UPCOMING), of prepare_stride bytes each */
  uint32_t prepare_capacity;
  uint32_t prepare_count;
  uint32_t prepare_stride;
  uint32_t reserved;
} kit_pool_decision_v1;

/* A lifecycle strategy. */
typedef struct kit_lifecycle_v1 {
  uint32_t struct_size;
  uint32_t reserved;

  /* [serial] Answers one request. Pure: no side effect, no memory of former calls needed. `request`, `decision` and all they point
   * to live until the return. Budget 25 ms; a late answer is discarded and the default decision taken. KIT_DECLINE: the default,
   * at no cost of health. Negative: the default, and a fault; after KIT_FATAL it is not called again. */
  kit_result (*decide)(void *KIT_NULLABLE self, const kit_pool_request_v1 *request, kit_pool_decision_v1 *decision);
} kit_lifecycle_v1;

#ifdef __cplusplus
}
#endif
#endif
