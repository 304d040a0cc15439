/* SPDX-License-Identifier: Apache-2.0
 * message.h: receiving, reading and sending the messages of kitwire. */
#ifndef WORKER_MESSAGE_H
#define WORKER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "kitshell/base.h"
#include "kitwire/wire.h"

/* A message where it lies in the shared memory, its body aligned to 8 bytes. */
typedef struct incoming {
  kitw_header header;
  unsigned char body[];
} incoming;

/* `memory` has KITW_SHARED_SIZE bytes. */
void message_use_memory(void *memory, int bell);

/* Waits for what the host wants next, decisions first. It stays where it is until `message_done`.
 * Ends the process if the host breaks the rules (KITW_EXIT_PROTOCOL). */
const incoming *message_wait(void);
void message_done(const incoming *message);

/* The structure at the front of the body, or an array behind it: null if it does not lie wholly inside. `offset` must be a
 * multiple of 8. */
const void *message_array(const incoming *message, uint32_t offset, uint32_t count, uint32_t size);
/* The named bytes. */
bool message_text(const incoming *message, kitw_text where, kit_str *text);

/* Where the plugin was mapped. */
void message_note_plugin(uint64_t base);
/* What is about to end the process. Signal-safe. */
void message_note_fault(uint32_t signal, uint64_t address, uint64_t place);

/* Ends the process because the host wrote something that breaks the rules. */
_Noreturn void message_reject(const char *why);

/* A message that is put together from pieces where they lie: nothing is copied before it is sent. */
enum { OUTGOING_PARTS_MAX = 3 + 1 + 2 * KITW_FIELDS_MAX };
typedef struct outgoing {
  kitw_header header;
  uint64_t length;
  int part_count;
  struct iovec parts[OUTGOING_PARTS_MAX];
} outgoing;

void outgoing_begin(outgoing *message, uint32_t kind, uint64_t call, uint32_t instance);
/* Appends bytes, which must stay where they are until the message was sent; says where in the body they lie. */
kitw_text outgoing_add(outgoing *message, const void *bytes, uint64_t length);

/* KIT_OK, or KIT_LIMIT (too long). Waits while the ring is full. Thread: any; a message is sent whole. */
kit_result outgoing_send(outgoing *message);
/* Answers the decision that is being asked for. Thread: the main one. */
void outgoing_answer(outgoing *message);

#endif
