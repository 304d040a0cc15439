/* SPDX-License-Identifier: Apache-2.0
 * Feeds kit-worker, compiled into this program, whole and damaged messages: fuzz-worker PLUGIN ROUNDS. Where the worker would end, it
 * starts over with the next message. Built with the address and undefined-behaviour sanitizers, which end it at the first mistake. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static jmp_buf next_round;
static unsigned long ended;

_Noreturn static void fuzz_exit(int status) {
  (void)status;
  ended++;
  longjmp(next_round, 1);
}

#define _exit fuzz_exit
#define main worker_main
#include "call.c"
#include "crash.c"
#include "instances.c"
#define find find_unused
#include "library.c"
#include "lifecycle.c"
#include "main.c"
#include "message.c"
#include "monitor.c"
#undef main
#undef _exit
#include "services.c"

/* A sandbox would close around the fuzzer. What is asked of it is read to the end. */
bool sandbox_close(const sandbox_order *order, uint32_t *walls, char *why, size_t why_size) {
  size_t bytes = 0;
  const path_list *lists[] = {&order->readable, &order->writable};
  for (uint32_t i = 0; i < order->library_count; i++) bytes += strlen(order->libraries[i].path);
  for (int i = 0; i < 2; i++)
    for (const char *path = path_list_next(lists[i], NULL); path != NULL; path = path_list_next(lists[i], path))
      bytes += strlen(path);
  *walls = KITW_WALL_CALLS;
  snprintf(why, why_size, "%zu bytes", bytes);
  return bytes != 1;
}
bool sandbox_seal(char *why, size_t why_size) {
  (void)why, (void)why_size;
  return true;
}

static struct {
  kitw_header header;
  unsigned char body[KITW_BODY_MAX + 64];
} out;

static uint64_t state = 42;
static uint64_t dice(uint64_t sides) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % sides;
}

static uint32_t put(uint32_t at, const void *bytes, uint32_t size) {
  memcpy(out.body + at, bytes, size);
  return at + size;
}

static uint32_t make(uint32_t kind) {
  memset(out.body, 0, 1024);
  kitw_text text = {200, 5};
  put(200, "hello", 5);
  switch (kind) {
    case KITW_CREATE: {
      kitw_create body = {.kind = dice(2) ? KIT_KIND_MONITOR : KIT_KIND_LIFECYCLE, .option_count = 2, .options_offset = 24, .name = text};
      kitw_option options[2] = {{.type = KIT_OPTION_INT, .key = text}, {.type = KIT_OPTION_STRING, .key = text, .text = text}};
      put(0, &body, sizeof body);
      put(24, options, sizeof options);
      return 205;
    }
    case KITW_EVENTS: {
      kitw_events body = {.controller = 1, .event_count = 4, .events_offset = 208, .text = text};
      kit_event_v1 events[4] = {{.struct_size = 96, .type = 5, .session = 1}, {.struct_size = 96, .type = 1, .session = 1, .text_length = 5},
                                {.struct_size = 96, .type = 99}, {.struct_size = 96, .text_offset = 2, .text_length = 3}};
      put(0, &body, sizeof body);
      return put(208, events, sizeof events);
    }
    case KITW_DECIDE: {
      kitw_decide body = {.kind = 1 + (uint32_t)dice(3), .reason = (uint32_t)dice(7), .player_count = 3, .players_offset = 208,
                          .upcoming_count = 2, .upcoming_offset = 400, .evict_capacity = 3, .prepare_capacity = 2, .unique_id = text};
      kitw_player players[3] = {{.state = 1, .handle = 7, .unique_id = text}, {.state = 2, .handle = 8}, {.state = 1, .handle = 9}};
      kitw_upcoming upcoming[2] = {{.distance = 1, .unique_id = text}, {.distance = -1}};
      put(0, &body, sizeof body);
      put(208, players, sizeof players);
      return put(400, upcoming, sizeof upcoming);
    }
    default: return (uint32_t)dice(64);
  }
}

static unsigned char shared[KITW_SHARED_SIZE] __attribute__((aligned(64)));

/* Lays the message in `out` where the worker looks for it, and starts over with its positions. */
static void lay(uint32_t length, int at_its_place) {
  kitw_host_words *words = (void *)(shared + KITW_HOST_WORDS);
  memset(shared, 0, KITW_QUESTION);
  message_use_memory(shared, 1);
  if (at_its_place) {
    memcpy(shared + KITW_QUESTION, &out, KITW_HEADER_SIZE + length);
    words->asked = 1;
  } else {
    memcpy(shared + KITW_TO_WORKER, &out, KITW_HEADER_SIZE + length);
    words->written = kitw_padded(length);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  static library loaded;
  struct stat file;
  if (stat(argv[1], &file) != 0) return 1;
  kitw_load load = {.device = file.st_dev, .inode = file.st_ino, .size = (uint64_t)file.st_size,
                    .mtime_ns = (int64_t)file.st_mtim.tv_sec * 1000000000 + file.st_mtim.tv_nsec,
                    .kinds = KIT_KIND_MONITOR | KIT_KIND_LIFECYCLE, .path = {sizeof load, (uint32_t)strlen(argv[1])}};
  out.header = (kitw_header){KITW_WIRE_VERSION, KITW_LOAD, 1, 0, sizeof load + load.path.length};
  put(put(0, &load, sizeof load), argv[1], load.path.length);
  lay(out.header.length, 0);
  const incoming *first = message_wait();
  call_begin(&first->header);
  if (!library_load(first, &loaded)) return 1;

  static const uint32_t kinds[] = {KITW_CREATE, KITW_EVENTS, KITW_DECIDE, KITW_DESTROY, KITW_PING, 0, 77};
  volatile unsigned long answered = 0;
  for (volatile long round = 0; round < atol(argv[2]); round++) {
    uint32_t kind = kinds[dice(sizeof kinds / sizeof *kinds)];
    uint32_t length = make(kind);
    out.header = (kitw_header){KITW_WIRE_VERSION, kind, 1 + dice(1000), (uint32_t)dice(6), length};
    unsigned char *bytes = (unsigned char *)&out;
    if (dice(3) != 0)
      for (uint64_t change = 1 + dice(5); change > 0; change--)
        bytes[dice(KITW_HEADER_SIZE + length)] = dice(3) ? (unsigned char)dice(256) : 0xff;
    if (out.header.kind == KITW_SKIP) continue;
    lay(length, kind == KITW_DECIDE);
    if (setjmp(next_round) != 0) continue;
    const incoming *message = message_wait();
    if (message->header.call == 0) continue;
    call_begin(&message->header);
    switch (message->header.kind) {
      case KITW_CREATE: instances_create(message, &loaded); break;
      case KITW_EVENTS: monitor_handle(message, &loaded); break;
      case KITW_DECIDE: lifecycle_decide(message, &loaded); break;
      case KITW_DESTROY: instances_destroy(message, &loaded); break;
      default: continue;
    }
    message_done(message);
    const kitw_worker_words *words = (const void *)(shared + KITW_WORKER_WORDS);
    if (words->written > 0 || words->answered > 0) answered++;
  }
  printf("answered %lu, ended %lu\n", answered, ended);
  return answered > 0 && ended > 0 ? 0 : 1;
}
