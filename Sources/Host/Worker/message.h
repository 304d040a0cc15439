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

/* One received message. The body is aligned to 8 bytes. */
typedef struct incoming {
  _Alignas(8) kitw_header header;
  unsigned char body[KITW_BODY_MAX];
} incoming;

void message_use_socket(int descriptor);

/* Waits for a message. Ends the process if the host is gone (KITW_EXIT_STOPPED) or breaks the rules. */
void message_receive(incoming *message);

/* The structure at the front of the body, or an array behind it: null if it does not lie wholly inside. `offset` must be a
 * multiple of 8. */
const void *message_array(const incoming *message, uint32_t offset, uint32_t count, uint32_t size);
/* The named bytes. */
bool message_text(const incoming *message, kitw_text where, kit_str *text);

/* Ends the process because the host sent something that breaks the rules. */
_Noreturn void message_reject(const char *why);

/* A message that is put together from pieces where they lie: nothing is copied before the kernel does. */
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

/* KIT_OK, KIT_LIMIT (too long), or KIT_BAD_ARG (a piece is not readable memory). Ends the process if the host is gone.
 * Thread: any; a message is sent whole. */
kit_result outgoing_send(outgoing *message);

#endif
