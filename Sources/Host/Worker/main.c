/* SPDX-License-Identifier: Apache-2.0
 *
 * kit-worker: runs one plugin in a process of its own. Started by the host only: kit-worker PID-OF-HOST, with the descriptors of shared.h.
 * It owns no terminal, no signal and no file; it ends when it is told to, or with its parent. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call.h"
#include "crash.h"
#include "instances.h"
#include "library.h"
#include "lifecycle.h"
#include "message.h"
#include "monitor.h"

/* Ends the worker with its parent, also if that died before this was called. */
static void follow_parent(long host) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != host) _exit(KITW_EXIT_STOPPED);
}

static void use_memory(void) {
  void *memory = mmap(NULL, KITW_SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, KITW_MEMORY_DESCRIPTOR, 0);
  struct stat found;
  if (memory == MAP_FAILED || fstat(KITW_MEMORY_DESCRIPTOR, &found) != 0 || found.st_size < KITW_SHARED_SIZE) {
    fprintf(stderr, "kit-worker: descriptor %d is no memory of a host; kit-worker is started by its host only\n",
            KITW_MEMORY_DESCRIPTOR);
    _exit(KITW_EXIT_USAGE);
  }
  /* The mapping is all it needs: another one cannot be made. */
  close(KITW_MEMORY_DESCRIPTOR);
  message_use_memory(memory, KITW_BELL_DESCRIPTOR);
}

static void greet(void) {
  outgoing message;
  kitw_hello body = {.abi_major = KIT_ABI_MAJOR, .abi_minor = KIT_ABI_MINOR, .pid = (uint32_t)getpid()};
  outgoing_begin(&message, KITW_HELLO, 0, 0);
  outgoing_add(&message, &body, sizeof body);
  outgoing_send(&message);
}

static _Noreturn void serve(void) {
  static library loaded;
  bool was_loaded = false, is_usable = false;
  for (;;) {
    const incoming *message = message_wait();
    uint32_t kind = message->header.kind;
    if (kind == KITW_STOP) _exit(KITW_EXIT_STOPPED);
    if (message->header.call == 0) message_reject("a call without an id");
    call_begin(&message->header);
    if (kind == KITW_LOAD && !was_loaded) {
      was_loaded = true;
      is_usable = library_load(message, &loaded);
    } else if (!is_usable) {
      message_reject("a call before the plugin was loaded");
    } else if (kind == KITW_PING) {
      outgoing answer;
      call_answer(&answer, KITW_PONG);
      call_end(&answer);
    } else if (kind == KITW_CREATE) {
      instances_create(message, &loaded);
    } else if (kind == KITW_EVENTS) {
      monitor_handle(message, &loaded);
    } else if (kind == KITW_DECIDE) {
      lifecycle_decide(message, &loaded);
    } else if (kind == KITW_DESTROY) {
      instances_destroy(message, &loaded);
    } else {
      message_reject("a kind of message that it does not know");
    }
    message_done(message);
  }
}

int main(int argc, char **argv) {
  char *end = NULL;
  long host = argc == 2 ? strtol(argv[1], &end, 10) : 0;
  if (host <= 0 || end == argv[1] || *end != 0) {
    fprintf(stderr, "usage: kit-worker PID-OF-HOST (it is started by its host only)\n");
    return KITW_EXIT_USAGE;
  }
  follow_parent(host);
  use_memory();
  greet();
  crash_watch();
  serve();
}
