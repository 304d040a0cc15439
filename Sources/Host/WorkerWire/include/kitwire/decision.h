/* SPDX-License-Identifier: Apache-2.0
 * decision.h: one question to a lifecycle strategy and its answer, as kit_pool_request_v1 and kit_pool_decision_v1 with offsets
 * instead of pointers. */
#ifndef KITWIRE_DECISION_H
#define KITWIRE_DECISION_H

#include "message.h"

typedef struct kitw_player {
  uint32_t state;
  uint32_t flags;
  uint32_t stage;
  uint32_t reserved;
  uint64_t handle;
  int64_t bytes_held;
  uint64_t created_seq;
  uint64_t acquired_seq;
  uint64_t idle_seq;
  kitw_text unique_id;
} kitw_player;

typedef struct kitw_upcoming {
  int32_t distance;
  uint32_t stage;
  uint64_t handle;
  kitw_text unique_id;
} kitw_upcoming;

/* Bounds of an answer; capacities never pass them, so that it fits one message. */
enum { KITW_EVICT_MAX = 4096, KITW_PREPARE_MAX = 1024 };

typedef struct kitw_decide {
  uint32_t kind;
  uint32_t reason;
  uint32_t flags;
  uint32_t source_kind;
  uint32_t level;
  uint32_t player_count;
  uint32_t players_offset; /* of kitw_player[player_count], a multiple of 8 */
  uint32_t upcoming_count;
  uint32_t upcoming_offset; /* of kitw_upcoming[upcoming_count], a multiple of 8 */
  uint32_t evict_capacity;   /* at most KITW_EVICT_MAX */
  uint32_t prepare_capacity; /* at most KITW_PREPARE_MAX */
  uint32_t reserved;
  int64_t now_us;
  int64_t max_pool_size;
  int64_t hard_max;
  uint64_t handle;
  int64_t count;
  kitw_text unique_id;
} kitw_decide;

typedef struct kitw_prepare {
  uint32_t item;
  uint32_t stage;
  uint64_t handle;
} kitw_prepare;

typedef struct kitw_decision {
  int32_t result; /* kit_result; the rest counts only with KIT_OK */
  uint32_t action;
  uint64_t handle;
  int64_t create_count;
  uint32_t evict_count;  /* as the plugin said it; uint64_t[min(evict_count, evict_capacity)] lie at the offset */
  uint32_t evict_offset; /* a multiple of 8 */
  uint32_t prepare_count; /* likewise, kitw_prepare[] */
  uint32_t prepare_offset;
  kitw_text said; /* through report_error, at most KITW_TEXT_MAX */
} kitw_decision;

#endif
