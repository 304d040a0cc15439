/* SPDX-License-Identifier: Apache-2.0
 * instances.h: the plugin's instances by the numbers that the host gave them. */
#ifndef WORKER_INSTANCES_H
#define WORKER_INSTANCES_H

#include "library.h"

typedef struct instance {
  uint32_t number; /* 0: this place is free */
  uint32_t kind;   /* KIT_KIND_* */
  void *self;      /* the plugin's own */
  bool may_act;
  uint32_t session; /* of the newest event that it was given */
  uint32_t actions; /* requests since then */
} instance;

/* Answers CREATE. */
void instances_create(const incoming *message, const library *loaded);
/* The instance that the message is for. Ends the process if there is none of that kind. */
instance *instances_find(const incoming *message, uint32_t kind);
/* It is about to be given an event of this session. */
void instances_note(instance *monitor, uint32_t session);
/* Counts a request for an action of the one monitor that knows itself by `self`. Thread: any.
 * KIT_OK or KIT_DENIED, with its number, if it is to be sent; KIT_BAD_ARG: none or several have that pointer; KIT_LIMIT. */
kit_result instances_count_action(const void *self, uint32_t *number);
/* Answers DESTROY. */
void instances_destroy(const incoming *message, const library *loaded);

#endif
