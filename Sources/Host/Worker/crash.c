/* SPDX-License-Identifier: Apache-2.0 */
#include "crash.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "message.h"
#include "sanitized.h"
#include "services.h"

#ifdef IS_SANITIZED
/* A sanitizer has handlers that say more. */
void crash_watch(void) {}
#else

enum { STACK_SIZE = 64 * 1024 };

static uint64_t program_counter(const ucontext_t *at) {
#if defined(__x86_64__)
  return (uint64_t)at->uc_mcontext.gregs[REG_RIP];
#else
  return at->uc_mcontext.pc;
#endif
}

/* Signal-safe. Returning from it runs into the same fault again, or into the signal that is sent again: then with nobody to handle it. */
static void on_fault(int number, siginfo_t *info, void *context) {
  uint64_t address = number == SIGABRT ? 0 : (uint64_t)(uintptr_t)info->si_addr;
  message_note_fault((uint32_t)number, address, program_counter(context));
  signal(number, SIG_DFL);
  if (info->si_code <= 0 || number == SIGABRT || number == SIGTRAP) raise(number);
}

void crash_watch(void) {
  static unsigned char stack[STACK_SIZE];
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  bool is_watched = sigaltstack(&own, NULL) == 0;
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    is_watched = sigaction(faults[i], &action, NULL) == 0 && is_watched;
  if (!is_watched) services_warn("a crash of the plugin will not say where it was: %s", strerror(errno));
}

#endif
