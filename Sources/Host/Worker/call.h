/* SPDX-License-Identifier: Apache-2.0
 * call.h: the call of the host that is being answered. What a plugin says from its own threads is ordered against its end. */
#ifndef WORKER_CALL_H
#define WORKER_CALL_H

#include "message.h"

void call_begin(const kitw_header *header);

/* Ends the call with its answer; nothing that belongs to it is sent afterwards. */
void call_end(outgoing *answer);

/* Ends the call with a kitw_result. */
void call_end_with(uint32_t kind, kitw_result body);

/* The running call, its kind 0 if there is none. Locked until call_unlock, so it cannot end before. */
kitw_header call_lock(void);
void call_unlock(void);

/* Begins an answer to the running call. Thread: the main one. */
void call_answer(outgoing *answer, uint32_t kind);

#endif
