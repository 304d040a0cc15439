/* SPDX-License-Identifier: Apache-2.0
 * A worker that breaks the protocol. BEHAVE says how, once the greeting is over; GREET replaces the greeting. */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kitshell/base.h"
#include "kitwire/wire.h"

enum { CONTROL = 3 };

static struct {
  kitw_header header;
  unsigned char body[KITW_BODY_MAX];
} in, out;

static void answer(uint32_t kind, uint64_t call, const void *body, uint32_t length) {
  out.header = (kitw_header){KITW_WIRE_VERSION, kind, call, in.header.instance, length};
  memcpy(out.body, body, length);
  /* Without a host there is nobody to annoy. */
  if (send(CONTROL, &out, KITW_HEADER_SIZE + length, MSG_NOSIGNAL) < 0) _exit(0);
}

static void greet(void) {
  kitw_hello hello = {KIT_ABI_MAJOR, KIT_ABI_MINOR, (uint32_t)getpid(), 0};
  answer(KITW_HELLO, 0, &hello, sizeof hello);
}

static void loaded(uint64_t call) {
  kitw_loaded loaded = {.result = KIT_OK, .stage = KITW_STAGE_DONE};
  answer(KITW_LOADED, call, &loaded, sizeof loaded);
}

static void created(void) {
  kitw_result result = {KIT_OK, 0};
  answer(KITW_CREATED, in.header.call, &result, sizeof result);
}

static void wait_for_ever(void) {
  for (;;) pause();
}

#ifndef GREET
#define GREET greet()
#endif
#ifndef BEHAVE
#define BEHAVE
#endif

int main(void) {
  (void)loaded, (void)created, (void)wait_for_ever, (void)greet;
  GREET;
  while (recv(CONTROL, &in, sizeof in, 0) > 0) {
    if (in.header.kind == KITW_LOAD) {
      loaded(in.header.call);
    } else if (in.header.kind == KITW_CREATE) {
      created();
    } else if (in.header.kind == KITW_STOP) {
      return 0;
    } else {
      BEHAVE;
    }
  }
  return 0;
}
