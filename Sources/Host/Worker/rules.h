/* SPDX-License-Identifier: Apache-2.0
 * rules.h: the system calls that no strategy needs. What is not named here is allowed. */
#ifndef WORKER_RULES_H
#define WORKER_RULES_H

#include <stdint.h>
#include <stddef.h>

/* When a call is forbidden. */
typedef enum rule_case {
  RULE_ALWAYS,
  RULE_WITHOUT_NETWORK, /* unless KIT_CAP_NETWORK is granted, … */
  RULE_WITHOUT_WRITING, /* KIT_CAP_WRITE_PATHS */
  RULE_WITHOUT_THREADS, /* KIT_CAP_THREADS: making a thread; making a process is forbidden always */
  RULE_TO_OTHERS,       /* with another process than this one as first argument */
  RULE_FIRST_IS,        /* with `value` as first argument */
  RULE_FIRST_IS_NOT,    /* with another one */
  RULE_SECOND_IS,       /* as second */
  RULE_SOCKET,          /* unless it is one of the internet and KIT_CAP_NETWORK is granted: names of this machine lead out of here */
  RULE_OPENS,           /* it opens a file: denial.h */
} rule_case;

typedef struct rule {
  int number; /* negative: this machine has no such call */
  const char *name;
  rule_case when;
  uint64_t value;
} rule;

extern const rule rules[];
extern const size_t rule_count;

#endif
