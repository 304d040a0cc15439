/* SPDX-License-Identifier: Apache-2.0 */
#include "message.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned char *memory;
static int bell = -1;
static pthread_mutex_t sending = PTHREAD_MUTEX_INITIALIZER;
/* This side's positions; nobody else changes them. */
static uint64_t read_so_far, written_so_far;
static uint32_t decided;

static kitw_host_words *host(void) { return (kitw_host_words *)(void *)(memory + KITW_HOST_WORDS); }
static kitw_worker_words *worker(void) { return (kitw_worker_words *)(void *)(memory + KITW_WORKER_WORDS); }

void message_use_memory(void *given, int bell_descriptor) {
  memory = given;
  bell = bell_descriptor;
  read_so_far = written_so_far = 0;
  decided = 0;
}

_Noreturn void message_reject(const char *why) {
  kitw_store32(&worker()->has_rejected, 1);
  dprintf(STDERR_FILENO, "kit-worker: the host broke the protocol: %s\n", why);
  _exit(KITW_EXIT_PROTOCOL);
}

static const incoming *checked(const unsigned char *place) {
  const incoming *message = (const void *)place;
  if (message->header.length > KITW_BODY_MAX) message_reject("a message is too long");
  if (message->header.version != KITW_WIRE_VERSION) message_reject("it speaks another version of the wire");
  return message;
}

static const incoming *next_of_ring(void) {
  for (;;) {
    uint64_t written = kitw_load64(&host()->written);
    if (written == read_so_far) return NULL;
    uint64_t place = read_so_far % KITW_TO_WORKER_SIZE, rest = KITW_TO_WORKER_SIZE - place;
    if (rest >= KITW_HEADER_SIZE) {
      const incoming *message = checked(memory + KITW_TO_WORKER + place);
      if (message->header.kind != KITW_SKIP) {
        if (kitw_padded(message->header.length) > rest) message_reject("a message passes the end of the ring");
        return message;
      }
    }
    read_so_far += rest;
    kitw_store64(&worker()->read, read_so_far);
  }
}

static const incoming *next(void) {
  if (kitw_load32(&host()->asked) != decided) return checked(memory + KITW_QUESTION);
  return next_of_ring();
}

const incoming *message_wait(void) {
  for (;;) {
    uint32_t seen = kitw_load32(&host()->bell);
    const incoming *message = next();
    if (message != NULL) return message;
    kitw_store32(&worker()->is_asleep, 1);
    syscall(SYS_futex, &host()->bell, FUTEX_WAIT, seen, NULL, NULL, 0);
    kitw_store32(&worker()->is_asleep, 0);
  }
}

void message_done(const incoming *message) {
  if ((const unsigned char *)message == memory + KITW_QUESTION) return;
  read_so_far += kitw_padded(message->header.length);
  kitw_store64(&worker()->read, read_so_far);
}

void message_note_plugin(uint64_t base) { kitw_store64(&worker()->plugin_base, base); }

void message_note_fault(uint32_t signal, uint64_t address, uint64_t place) {
  kitw_store64(&worker()->fault_address, address);
  kitw_store64(&worker()->fault_place, place);
  kitw_store32(&worker()->fault_signal, signal);
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
  message->part_count = 0;
}

kitw_text outgoing_add(outgoing *message, const void *bytes, uint64_t length) {
  kitw_text where = {(uint32_t)message->length, (uint32_t)length};
  if (length == 0) return where;
  if (length > KITW_BODY_MAX || message->part_count == OUTGOING_PARTS_MAX) {
    message->length = KITW_BODY_MAX + 1; /* refused when it is sent */
    return where;
  }
  message->parts[message->part_count++] = (struct iovec){(void *)(uintptr_t)bytes, length};
  message->length += length;
  return where;
}

/* Copies a message to its place. */
static void write_at(unsigned char *place, outgoing *message) {
  message->header.length = (uint32_t)message->length;
  memcpy(place, &message->header, sizeof message->header);
  place += sizeof message->header;
  for (int i = 0; i < message->part_count; i++) {
    memcpy(place, message->parts[i].iov_base, message->parts[i].iov_len);
    place += message->parts[i].iov_len;
  }
}

static void wake_host(void) {
  if (kitw_load32(&host()->is_asleep) == 1) (void)!write(bell, "", 1);
}

/* A host that does not read is busy with others, or about to end this worker. */
static void wait_for_room(uint64_t end) {
  while (end - kitw_load64(&host()->read) > KITW_TO_HOST_SIZE) {
    wake_host();
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  }
}

kit_result outgoing_send(outgoing *message) {
  if (message->length > KITW_BODY_MAX) return KIT_LIMIT;
  pthread_mutex_lock(&sending);
  uint64_t size = kitw_padded(message->length), place = written_so_far % KITW_TO_HOST_SIZE, rest = KITW_TO_HOST_SIZE - place;
  if (size > rest) {
    wait_for_room(written_so_far + rest);
    if (rest >= KITW_HEADER_SIZE) {
      kitw_header skip = {.version = KITW_WIRE_VERSION, .kind = KITW_SKIP};
      memcpy(memory + KITW_TO_HOST + place, &skip, sizeof skip);
    }
    written_so_far += rest;
    place = 0;
  }
  wait_for_room(written_so_far + size);
  write_at(memory + KITW_TO_HOST + place, message);
  written_so_far += size;
  kitw_store64(&worker()->written, written_so_far);
  wake_host();
  pthread_mutex_unlock(&sending);
  return KIT_OK;
}

void outgoing_answer(outgoing *message) {
  if (message->length > KITW_BODY_MAX) message_reject("it left room for a decision that is too long");
  write_at(memory + KITW_ANSWER, message);
  decided = (uint32_t)message->header.call;
  kitw_store32(&worker()->answered, decided);
  syscall(SYS_futex, &worker()->answered, FUTEX_WAKE, 1, NULL, NULL, 0);
}
