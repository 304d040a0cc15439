/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint32_t *question, *answer;

static void await(uint32_t *word, uint32_t former) {
  while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == former) syscall(SYS_futex, word, FUTEX_WAIT, former, NULL, NULL, 0);
}

static void tell(uint32_t *word) {
  __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int futex_round_trips(double *nanoseconds, int count) {
  uint32_t *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return errno;
  question = memory;
  answer = memory + 1024;
  pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) {
    /* Nothing but system calls here: the parent has threads. */
    for (uint32_t round = 0;; round++) {
      await(question, round);
      tell(answer);
    }
  }
  for (int i = 0; i < count; i++) {
    int64_t start = now();
    tell(question);
    await(answer, (uint32_t)i);
    nanoseconds[i] = (double)(now() - start);
  }
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
  munmap(memory, 8192);
  return 0;
}
