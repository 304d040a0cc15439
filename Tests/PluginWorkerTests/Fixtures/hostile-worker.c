/* SPDX-License-Identifier: Apache-2.0
 * A worker that keeps to the protocol most of the time and breaks it at random, in every way that one can who owns the shared memory: what
 * it does follows from the number at the end of its own file's name. What it writes is damaged on the way, messages come that
 * nobody asked for, and a thread of its own scribbles over the memory while the host reads it. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void spoil(void *message, uint32_t length);
static void act(void);
static void begin(void);

#define SPOIL(message, length) spoil(message, length)
#define GREET begin(); greet()
#define BEHAVE act()
#define DECIDE decide()
static void decide(void);
#include "stub-worker.c"

static uint64_t state;
static uint32_t dice(uint32_t sides) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 11) % sides;
}

/* One message in so many is damaged; one thing done in so many is something else. */
static uint32_t spoiled_in = 8, wild_in = 8;

/* Numbers that a bound may be wrong for, mostly. */
static uint64_t number(void) {
  static const uint64_t odd[] = {0, 1, 7, 8, 24, 64, 65535, 65536, 65537, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff, ~0ull, 1ull << 63};
  switch (dice(3)) {
    case 0: return odd[dice(sizeof odd / sizeof *odd)];
    case 1: return dice(200);
    default: return state;
  }
}

static void spoil(void *message, uint32_t length) {
  if (dice(spoiled_in) != 0) return;
  for (uint32_t change = 1 + dice(4); change > 0; change--) {
    unsigned char *place = (unsigned char *)message + dice(length);
    if (dice(2)) {
      *place = (unsigned char)number();
    } else if (length >= 4) {
      uint32_t word = (uint32_t)number();
      memcpy((unsigned char *)message + dice(length / 4) * 4, &word, sizeof word);
    }
  }
}

/* A message of any kind with a body of any numbers. */
static void wild(uint64_t call) {
  static const uint32_t kinds[] = {KITW_HELLO, KITW_LOADED, KITW_CREATED, KITW_EVENTS_DONE, KITW_DECISION, KITW_DESTROYED, KITW_PONG,
                                   KITW_REPORT, KITW_LOG, KITW_ERROR_TEXT, KITW_ACTION, KITW_WALLS, KITW_DENIED, KITW_SKIP, 999};
  static uint32_t body[1024];
  uint32_t words = dice(4) ? dice(40) : dice(1024);
  for (uint32_t i = 0; i < words; i++) body[i] = (uint32_t)number();
  answer(kinds[dice(sizeof kinds / sizeof *kinds)], dice(2) ? call : number(), body, words * 4);
}

/* Words and bytes anywhere. */
static void scribble(void) {
  switch (dice(5)) {
    case 0: kitw_store64(&worker->written, dice(2) ? number() : written + dice(4) * 8); break;
    case 1: kitw_store64(&worker->read, number()); break;
    case 2: kitw_store32(&worker->answered, dice(2) ? kitw_load32(&host->asked) : (uint32_t)number()); break;
    case 3: kitw_store32(&worker->fault_signal, dice(70)), kitw_store64(&worker->plugin_base, number()), kitw_store64(&worker->fault_place, number()); break;
    default: ((volatile unsigned char *)memory)[dice(KITW_SHARED_SIZE)] = (unsigned char)number();
  }
}

/* The worker's other thread has dice of its own. */
static void *keep_scribbling(void *seed) {
  uint64_t mine = (uint64_t)(uintptr_t)seed | 1;
  for (;;) {
    mine = mine * 6364136223846793005ull + 1442695040888963407ull;
    /* What is read next is where a change between two looks would hurt. */
    uint64_t place = mine >> 60 ? KITW_TO_HOST + (mine >> 20) % 4096 : KITW_WORKER_WORDS + (mine >> 20) % (KITW_ANSWER + 256 - KITW_WORKER_WORDS);
    ((volatile unsigned char *)memory)[place] = (unsigned char)(mine >> 40);
    if (mine >> 56 == 0) nap();
  }
  return NULL;
}

static void leave(void) {
  switch (dice(6)) {
    case 0: _exit((int)dice(256));
    case 1: raise(SIGKILL); break;
    case 2: raise(SIGSEGV); break;
    case 3: wait_for_ever(); break;
    case 4: raise(SIGSTOP); break;
    default:
      for (int i = 0; i < 2000; i++) printf("%u noise %llu\n", dice(100), (unsigned long long)state);
      fflush(stdout);
  }
}

static void report(void) {
  struct {
    kitw_report report;
    kitw_field field;
    char name[8];
  } body = {{1 + dice(2), 1, 0, 1, sizeof(kitw_report), 0, {sizeof(kitw_report) + sizeof(kitw_field), 5}},
            {1 + dice(5), 0, (int64_t)number(), 0.5, {sizeof(kitw_report) + sizeof(kitw_field), 3}, {sizeof(kitw_report) + sizeof(kitw_field), 4}},
            "count"};
  answer(KITW_REPORT, in.header.call, &body, sizeof body);
}

static void go_wild(void) {
  switch (dice(6)) {
    case 0: leave(); break;
    case 1: scribble(); break;
    case 2:
      for (uint32_t i = dice(300); i > 0; i--) wild(in.header.call);
      break;
    default: wild(in.header.call);
  }
}

static void act(void) {
  if (dice(wild_in) == 0) go_wild();
  for (uint32_t i = dice(3); i > 0; i--) report();
  if (in.header.kind == KITW_DESTROY) {
    answer(KITW_DESTROYED, in.header.call, "", 0);
  } else {
    kitw_result done = {dice(10) ? KIT_OK : (int32_t)number(), dice(10) ? 0 : (uint32_t)number()};
    answer(KITW_EVENTS_DONE, in.header.call, &done, sizeof done);
  }
}

static void decide(void) {
  if (dice(wild_in) == 0) go_wild();
  struct {
    kitw_decision decision;
    uint64_t handles[4];
    kitw_prepare prepare[4];
  } body = {.decision = {.result = dice(6) ? KIT_OK : (int32_t)number(), .action = dice(5), .handle = dice(2) ? dice(6) : number(),
                         .create_count = dice(2) ? dice(4) : (int64_t)number(), .evict_count = dice(5),
                         .evict_offset = sizeof(kitw_decision), .prepare_count = dice(5),
                         .prepare_offset = sizeof(kitw_decision) + sizeof body.handles}};
  for (int i = 0; i < 4; i++) body.handles[i] = dice(2) ? dice(6) : number();
  for (int i = 0; i < 4; i++) body.prepare[i] = (kitw_prepare){dice(4), dice(6), number()};
  compose(KITW_DECISION, kitw_load32(&host->asked), &body, sizeof body);
  decided();
}

static void begin(void) {
  char path[4096] = {0};
  (void)!readlink("/proc/self/exe", path, sizeof path - 1);
  const char *seed = strrchr(path, '-');
  state = (seed == NULL ? 1 : strtoull(seed + 1, NULL, 10)) * 0x9e3779b97f4a7c15ull | 1;
  for (int i = 0; i < 8; i++) dice(2);
  spoiled_in = 4u << dice(9);
  wild_in = 4u << dice(7);
  pthread_t thread;
  if (dice(3) == 0) pthread_create(&thread, NULL, keep_scribbling, (void *)(uintptr_t)state);
}
