/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int control = -1;

void message_use_socket(int descriptor) { control = descriptor; }

_Noreturn void message_reject(const char *why) {
  dprintf(STDERR_FILENO, "kit-worker: the host broke the protocol: %s\n", why);
  _exit(KITW_EXIT_PROTOCOL);
}

/* The host is gone, or the plugin closed the socket under us. */
static _Noreturn void give_up(int error) {
  _exit(error == EPIPE || error == ECONNRESET ? KITW_EXIT_STOPPED : KITW_EXIT_PROTOCOL);
}

void message_receive(incoming *message) {
  struct iovec parts[] = {{&message->header, sizeof message->header}, {message->body, sizeof message->body}};
  struct msghdr envelope = {.msg_iov = parts, .msg_iovlen = 2};
  ssize_t length;
  do {
    length = recvmsg(control, &envelope, MSG_CMSG_CLOEXEC);
  } while (length < 0 && errno == EINTR);
  if (length < 0) give_up(errno);
  if (length == 0) _exit(KITW_EXIT_STOPPED);
  if (envelope.msg_flags & MSG_TRUNC) message_reject("a message is too long");
  if ((size_t)length < sizeof message->header || (size_t)length - sizeof message->header != message->header.length)
    message_reject("a message has not the length that it says");
  if (message->header.version != KITW_WIRE_VERSION) message_reject("it speaks another version of the wire");
}

const void *message_array(const incoming *message, uint32_t offset, uint32_t count, uint32_t size) {
  uint64_t length = message->header.length;
  if (offset % 8 != 0 || offset > length || (uint64_t)count * size > length - offset) return NULL;
  return message->body + offset;
}

bool message_text(const incoming *message, kitw_text where, kit_str *text) {
  uint64_t length = message->header.length;
  if (where.offset > length || where.length > length - where.offset) return false;
  text->ptr = where.length == 0 ? NULL : (const char *)message->body + where.offset;
  text->len = where.length;
  return true;
}

void outgoing_begin(outgoing *message, uint32_t kind, uint64_t call, uint32_t instance) {
  message->header = (kitw_header){.version = KITW_WIRE_VERSION, .kind = kind, .call = call, .instance = instance};
  message->length = 0;
  message->part_count = 1;
  message->parts[0] = (struct iovec){&message->header, sizeof message->header};
}

kitw_text outgoing_add(outgoing *message, const void *bytes, uint64_t length) {
  kitw_text where = {(uint32_t)message->length, (uint32_t)length};
  if (length == 0) return where;
  if (length > KITW_BODY_MAX || message->part_count == OUTGOING_PARTS_MAX) {
    message->length = KITW_BODY_MAX + 1; /* refused by outgoing_send */
    return where;
  }
  message->parts[message->part_count++] = (struct iovec){(void *)(uintptr_t)bytes, length};
  message->length += length;
  return where;
}

kit_result outgoing_send(outgoing *message) {
  if (message->length > KITW_BODY_MAX) return KIT_LIMIT;
  message->header.length = (uint32_t)message->length;
  struct msghdr envelope = {.msg_iov = message->parts, .msg_iovlen = (size_t)message->part_count};
  ssize_t sent;
  do {
    sent = sendmsg(control, &envelope, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  if (sent >= 0) return KIT_OK;
  if (errno == EFAULT) return KIT_BAD_ARG;
  give_up(errno);
}
