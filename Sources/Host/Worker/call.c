/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static kitw_header current;

kitw_header call_lock(void) {
  pthread_mutex_lock(&mutex);
  return current;
}

void call_unlock(void) { pthread_mutex_unlock(&mutex); }

void call_begin(const kitw_header *header) {
  call_lock();
  current = *header;
  call_unlock();
}

void call_answer(outgoing *answer, uint32_t kind) {
  outgoing_begin(answer, kind, current.call, current.instance);
}

void call_end(outgoing *answer) {
  call_lock();
  if (current.kind == KITW_DECIDE)
    outgoing_answer(answer);
  else
    outgoing_send(answer);
  current = (kitw_header){0};
  call_unlock();
}

void call_end_with(uint32_t kind, kitw_result body) {
  outgoing answer;
  call_answer(&answer, kind);
  outgoing_add(&answer, &body, sizeof body);
  call_end(&answer);
}
