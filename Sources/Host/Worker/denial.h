/* SPDX-License-Identifier: Apache-2.0
 * denial.h: what happens to a system call that the sandbox forbids: it fails, and the host is told. */
#ifndef WORKER_DENIAL_H
#define WORKER_DENIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* System calls that open files by a path. They go through a gate where their outcome is seen. */
bool denial_is_open(int number);

/* What a system call is called; null if it is none that the sandbox forbids. Thread: any, signal handlers too. */
const char *denial_name(int number);

/* Handles what seccomp traps from now on. False with errno. */
bool denial_watch(void);

/* Has seccomp trap every open that does not go through the gate, and refuse calls that are newer than the rules. False with errno. */
bool denial_guard_opens(void);

/* What goes through the gate. */
typedef enum gate_width {
  GATE_OPEN,      /* all: Landlock looks at it */
  GATE_READ_ONLY, /* what opens files for reading */
  GATE_CLOSED,
} gate_width;

void denial_set_gate(gate_width width);

#endif
