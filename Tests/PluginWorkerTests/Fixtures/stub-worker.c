/* SPDX-License-Identifier: Apache-2.0
 * A worker that breaks the protocol. BEHAVE says how, once the greeting is over; GREET replaces the greeting, LOAD what it says of a plugin
 * that it does not have; DECIDE is what it does when a decision is wanted, PING when it is asked whether it is there, STOP when it is to end. */
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kitshell/base.h"
#include "kitwire/wire.h"

static unsigned char *memory;
static kitw_host_words *host;
static kitw_worker_words *worker;
static uint64_t written, taken;

static struct {
  kitw_header header;
  unsigned char body[KITW_BODY_MAX];
} in, out;

/* What becomes of a message before it is written. */
#ifndef SPOIL
#define SPOIL(message, length)
#endif

static void ring_bell(void) {
  (void)!write(KITW_BELL_DESCRIPTOR, "", 1);
}

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL); }

/* Puts bytes into the ring as they are, a multiple of 8 of them. */
static void raw(const void *bytes, uint32_t length) {
  length = (length + 7) & ~7u;
  uint64_t place = written % KITW_TO_HOST_SIZE, rest = KITW_TO_HOST_SIZE - place;
  if (length > rest) {
    kitw_header skip = {.version = KITW_WIRE_VERSION};
    if (rest >= sizeof skip) memcpy(memory + KITW_TO_HOST + place, &skip, sizeof skip);
    written += rest;
  }
  while (written + length - kitw_load64(&host->read) > KITW_TO_HOST_SIZE) ring_bell(), nap();
  memcpy(memory + KITW_TO_HOST + written % KITW_TO_HOST_SIZE, bytes, length);
  written += length;
  kitw_store64(&worker->written, written);
  ring_bell();
}

static void compose(uint32_t kind, uint64_t call, const void *body, uint32_t length) {
  out.header = (kitw_header){KITW_WIRE_VERSION, kind, call, in.header.instance, length};
  memcpy(out.body, body, length);
}

static void answer(uint32_t kind, uint64_t call, const void *body, uint32_t length) {
  compose(kind, call, body, length);
  SPOIL(&out, KITW_HEADER_SIZE + length);
  raw(&out, KITW_HEADER_SIZE + length);
}

static void greet(void) {
  kitw_hello hello = {KIT_ABI_MAJOR, KIT_ABI_MINOR, (uint32_t)getpid(), 0};
  answer(KITW_HELLO, 0, &hello, sizeof hello);
}

static void walls(uint32_t standing) {
  kitw_walls walls = {.walls = standing};
  answer(KITW_WALLS, in.header.call, &walls, sizeof walls);
}

static void loaded(uint64_t call) {
  kitw_loaded loaded = {.result = KIT_OK, .stage = KITW_STAGE_DONE};
  answer(KITW_LOADED, call, &loaded, sizeof loaded);
}

static void created(void) {
  kitw_result result = {KIT_OK, 0};
  answer(KITW_CREATED, in.header.call, &result, sizeof result);
}

/* Answers a decision with what `compose` made. */
static void decided(void) {
  SPOIL(&out, KITW_HEADER_SIZE + out.header.length);
  memcpy(memory + KITW_ANSWER, &out, KITW_HEADER_SIZE + (out.header.length <= KITW_BODY_MAX ? out.header.length : 0));
  kitw_store32(&worker->answered, kitw_load32(&host->asked));
  syscall(SYS_futex, &worker->answered, FUTEX_WAKE, 1, NULL, NULL, 0);
}

#ifdef SIGNS
/* Files by which a test and its workers tell each other how far they are. */
static void sign(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", SIGNS, name);
  close(creat(path, 0600));
}

static void await_sign(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", SIGNS, name);
  while (access(path, F_OK) != 0) nap();
}
#endif

static void wait_for_ever(void) {
  for (;;) pause();
}

#ifndef GREET
#define GREET greet()
#endif
#ifndef LOAD
#define LOAD walls(0); loaded(in.header.call)
#endif
#ifndef BEHAVE
#define BEHAVE
#endif
#ifndef STOP
#define STOP _exit(0)
#endif
#ifndef PING
#define PING answer(KITW_PONG, in.header.call, "", 0)
#endif
#ifndef DECIDE
#define DECIDE decided()
#endif

static void take(void) {
  uint64_t place = taken % KITW_TO_WORKER_SIZE, rest = KITW_TO_WORKER_SIZE - place;
  if (rest < KITW_HEADER_SIZE || ((kitw_header *)(void *)(memory + KITW_TO_WORKER + place))->kind == KITW_SKIP) {
    taken += rest;
    return;
  }
  memcpy(&in.header, memory + KITW_TO_WORKER + place, KITW_HEADER_SIZE);
  memcpy(in.body, memory + KITW_TO_WORKER + place + KITW_HEADER_SIZE, in.header.length);
  taken += kitw_padded(in.header.length);
  kitw_store64(&worker->read, taken);
  if (in.header.kind == KITW_LOAD) {
    LOAD;
  } else if (in.header.kind == KITW_CREATE) {
    created();
  } else if (in.header.kind == KITW_STOP) {
    STOP;
  } else if (in.header.kind == KITW_PING) {
    PING;
  } else {
    BEHAVE;
  }
}

int main(void) {
  (void)loaded, (void)created, (void)wait_for_ever, (void)greet, (void)decided;
  memory = mmap(NULL, KITW_SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, KITW_MEMORY_DESCRIPTOR, 0);
  if (memory == MAP_FAILED) return 1;
  host = (void *)(memory + KITW_HOST_WORDS);
  worker = (void *)(memory + KITW_WORKER_WORDS);
  pid_t parent = getppid();
  GREET;
  uint32_t seen = 0;
  while (getppid() == parent) {
    if (kitw_load32(&host->asked) != seen) {
      seen = kitw_load32(&host->asked);
      memcpy(&in.header, memory + KITW_QUESTION, KITW_HEADER_SIZE);
      DECIDE;
    } else if (kitw_load64(&host->written) != taken) {
      take();
    } else {
      nap();
    }
  }
  return 0;
}
