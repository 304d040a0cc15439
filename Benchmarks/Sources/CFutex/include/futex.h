/* SPDX-License-Identifier: Apache-2.0
 * The least that a question to another process can cost: a word changes, a futex wakes the other side, and back. */
#ifndef FUTEX_H
#define FUTEX_H

/* Nanoseconds of each of `count` round trips with a child process, into `nanoseconds`. 0, or an errno. */
int futex_round_trips(double *nanoseconds, int count);

#endif
