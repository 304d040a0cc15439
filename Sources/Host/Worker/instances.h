/* SPDX-License-Identifier: Apache-2.0
 * instances.h: the plugin's instances by the numbers that the host gave them. */
#ifndef WORKER_INSTANCES_H
#define WORKER_INSTANCES_H

#include "library.h"

typedef struct instance {
  uint32_t number; /* 0: this place is free */
  uint32_t kind;   /* KIT_KIND_* */
  void *self;      /* the plugin's own */
} instance;

/* Answers CREATE. */
void instances_create(const incoming *message, const library *loaded);
/* The instance that the message is for. Ends the process if there is none of that kind. */
instance *instances_find(const incoming *message, uint32_t kind);
/* Answers DESTROY. */
void instances_destroy(const incoming *message, const library *loaded);

#endif
