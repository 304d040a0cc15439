/* SPDX-License-Identifier: Apache-2.0 */
#include "lifecycle.h"

#include <string.h>

#include "call.h"
#include "instances.h"
#include "kitshell/note.h"

/* As many as a message can name. */
static kit_player_v1 players[KITW_BODY_MAX / sizeof(kitw_player)];
static kit_upcoming_v1 upcoming[KITW_BODY_MAX / sizeof(kitw_upcoming)];
static kit_player evict[KITW_EVICT_MAX];
static kit_prepare_v1 prepare[KITW_PREPARE_MAX];

static void read_players(const incoming *message, const kitw_decide *wire) {
  const kitw_player *from = message_array(message, wire->players_offset, wire->player_count, sizeof *from);
  if (from == NULL) message_reject("players of DECIDE");
  for (uint32_t i = 0; i < wire->player_count; i++) {
    players[i] = (kit_player_v1){.struct_size = sizeof players[i],
                                 .state = from[i].state,
                                 .flags = from[i].flags,
                                 .stage = from[i].stage,
                                 .handle = from[i].handle,
                                 .bytes_held = from[i].bytes_held,
                                 .created_seq = from[i].created_seq,
                                 .acquired_seq = from[i].acquired_seq,
                                 .idle_seq = from[i].idle_seq};
    if (!message_text(message, from[i].unique_id, &players[i].unique_id)) message_reject("id of a player of DECIDE");
  }
}

static void read_upcoming(const incoming *message, const kitw_decide *wire) {
  const kitw_upcoming *from = message_array(message, wire->upcoming_offset, wire->upcoming_count, sizeof *from);
  if (from == NULL) message_reject("upcoming of DECIDE");
  for (uint32_t i = 0; i < wire->upcoming_count; i++) {
    upcoming[i] = (kit_upcoming_v1){.struct_size = sizeof upcoming[i],
                                    .distance = from[i].distance,
                                    .handle = from[i].handle,
                                    .stage = from[i].stage};
    if (!message_text(message, from[i].unique_id, &upcoming[i].unique_id)) message_reject("id of upcoming of DECIDE");
  }
}

static char said[KITW_TEXT_MAX];
static uint64_t said_length;

void lifecycle_note_said(kit_str text) {
  said_length = text.ptr == NULL ? 0 : text.len < sizeof said ? text.len : sizeof said;
  if (said_length > 0) memcpy(said, text.ptr, said_length);
}

static void answer_with(kit_result result, const kit_pool_decision_v1 *decision, const kitw_decide *wire) {
  static kitw_prepare prepared[KITW_PREPARE_MAX];
  uint32_t evict_sent = decision->evict_count < wire->evict_capacity ? decision->evict_count : wire->evict_capacity;
  uint32_t prepare_sent =
      decision->prepare_count < wire->prepare_capacity ? decision->prepare_count : wire->prepare_capacity;
  for (uint32_t i = 0; i < prepare_sent; i++)
    prepared[i] = (kitw_prepare){.item = prepare[i].item, .stage = prepare[i].stage, .handle = prepare[i].handle};

  outgoing answer;
  kitw_decision body = {.result = result,
                        .action = decision->action,
                        .handle = decision->handle,
                        .create_count = decision->create_count,
                        .evict_count = decision->evict_count,
                        .prepare_count = decision->prepare_count};
  call_answer(&answer, KITW_DECISION);
  outgoing_add(&answer, &body, sizeof body);
  body.evict_offset = outgoing_add(&answer, evict, evict_sent * sizeof evict[0]).offset;
  body.prepare_offset = outgoing_add(&answer, prepared, prepare_sent * sizeof prepared[0]).offset;
  call_lock();
  body.said = outgoing_add(&answer, said, said_length);
  said_length = 0;
  call_unlock();
  call_end(&answer);
}

void lifecycle_decide(const incoming *message, const library *loaded) {
  instance *strategy = instances_find(message, KIT_KIND_LIFECYCLE);
  const kitw_decide *wire = message_array(message, 0, 1, sizeof *wire);
  if (wire == NULL || wire->evict_capacity > KITW_EVICT_MAX || wire->prepare_capacity > KITW_PREPARE_MAX)
    message_reject("DECIDE");
  read_players(message, wire);
  read_upcoming(message, wire);
  kit_pool_request_v1 request = {.struct_size = sizeof request,
                                 .kind = wire->kind,
                                 .reason = wire->reason,
                                 .flags = wire->flags,
                                 .now_us = wire->now_us,
                                 .players = wire->player_count == 0 ? NULL : players,
                                 .player_count = wire->player_count,
                                 .player_stride = sizeof players[0],
                                 .max_pool_size = wire->max_pool_size,
                                 .hard_max = wire->hard_max,
                                 .handle = wire->handle,
                                 .source_kind = wire->source_kind,
                                 .level = wire->level,
                                 .count = wire->count,
                                 .upcoming = wire->upcoming_count == 0 ? NULL : upcoming,
                                 .upcoming_count = wire->upcoming_count,
                                 .upcoming_stride = sizeof upcoming[0]};
  if (!message_text(message, wire->unique_id, &request.unique_id)) message_reject("id of DECIDE");
  memset(evict, 0, wire->evict_capacity * sizeof evict[0]);
  memset(prepare, 0, wire->prepare_capacity * sizeof prepare[0]);
  kit_pool_decision_v1 decision = {.struct_size = sizeof decision,
                                   .evict = wire->evict_capacity == 0 ? NULL : evict,
                                   .evict_capacity = wire->evict_capacity,
                                   .prepare = wire->prepare_capacity == 0 ? NULL : prepare,
                                   .prepare_capacity = wire->prepare_capacity,
                                   .prepare_stride = sizeof prepare[0]};
  kit_result result = loaded->lifecycle->decide(strategy->self, &request, &decision);
  answer_with(result, &decision, wire);
}
