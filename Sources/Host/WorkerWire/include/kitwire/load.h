/* SPDX-License-Identifier: Apache-2.0
 * load.h: the greeting, and the loading of the one plugin of a worker. */
#ifndef KITWIRE_LOAD_H
#define KITWIRE_LOAD_H

#include "message.h"

typedef struct kitw_hello {
  uint32_t abi_major; /* of the headers that the worker was built with */
  uint32_t abi_minor;
  uint32_t pid;
  uint32_t reserved;
} kitw_hello;

typedef struct kitw_load {
  uint64_t device; /* the file that was inspected; another one is not loaded */
  uint64_t inode;
  uint64_t size;
  int64_t mtime_ns;
  uint32_t kinds; /* KIT_KIND_* that its note names */
  uint32_t reserved;
  kitw_text path; /* absolute, without a NUL */
} kitw_load;

/* How far loading got. */
enum {
  KITW_STAGE_IDENTITY = 1,   /* the file is not the one that was inspected */
  KITW_STAGE_OPEN = 2,       /* dlopen */
  KITW_STAGE_SYMBOL = 3,     /* the entry is missing or belongs to another file */
  KITW_STAGE_ENTRY = 4,      /* the entry refused */
  KITW_STAGE_TABLE = 5,      /* its table is short or has null slots */
  KITW_STAGE_INTERFACE = 6,  /* an interface that the note names is missing, short or has null slots */
  KITW_STAGE_DONE = 7
};

typedef struct kitw_loaded {
  int32_t result; /* kit_result of the entry if it refused; KIT_OK iff stage is DONE */
  uint32_t stage; /* KITW_STAGE_* at which it ended */
  uint64_t event_mask[2]; /* kit_monitor_v1.event_mask, zero without a monitor */
  kitw_text detail;       /* what went wrong, at most KITW_TEXT_MAX */
} kitw_loaded;

#endif
