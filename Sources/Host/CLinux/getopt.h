/* SPDX-License-Identifier: Apache-2.0
 * getopt_long, a step at a time. It keeps its place in global variables, which Swift refuses to read as unsafe for
 * concurrent use; a step hands them out as one value. Not thread-safe: one scan at a time in a process. */
#ifndef CLINUX_GETOPT_H
#define CLINUX_GETOPT_H

#include <getopt.h>

typedef struct clinux_option_step {
  int value;        /* what getopt_long returned; -1 at the end */
  int character;    /* of an error: the value of the option that it is about, 0 for an unknown long one; else 0 */
  int next;         /* index of the argument that is looked at next */
  int long_index;   /* of the long option that was found, else -1 */
  const char *text; /* optarg, may be null */
} clinux_option_step;

/* restart is not 0 for the first step of a scan. Prints nothing. */
static inline clinux_option_step clinux_next_option(int argc, char *const *argv, const char *short_options,
                                                    const struct option *long_options, int restart) {
  clinux_option_step step = {0};
  if (restart) optind = 0;
  opterr = 0;
  optarg = 0;
  step.long_index = -1;
  step.value = getopt_long(argc, argv, short_options, long_options, &step.long_index);
  step.character = step.value == '?' || step.value == ':' ? optopt : 0; /* stale otherwise */
  step.next = optind;
  step.text = optarg;
  return step;
}

#endif
