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
  uint32_t sandbox; /* 1: nothing of it runs outside of the sandbox */
  uint32_t grants;  /* KIT_CAP_* */
  uint32_t library_count;    /* at most KITW_LIBRARIES_MAX */
  uint32_t libraries_offset; /* of kitw_library[library_count], a multiple of 8: the plugin, and what it needs beside the system's libraries */
  uint32_t reserved;
  kitw_text path; /* absolute, without a NUL */
  /* Lists of texts without a NUL, each followed by one. */
  kitw_text runtimes; /* libraries of the system, loaded before the sandbox closes: as dlopen takes them */
  kitw_text readable; /* absolute paths that its grants name */
  kitw_text writable;
} kitw_load;

/* A library that loading the plugin reads, as the host has found it. */
typedef struct kitw_library {
  uint64_t device; /* another file at the path is not opened */
  uint64_t inode;
  kitw_text path; /* absolute; its last byte is the only NUL in it */
} kitw_library;

enum { KITW_LIBRARIES_MAX = 128 };

/* What keeps a plugin in. */
enum {
  KITW_WALL_CALLS = 1,  /* system calls: seccomp. There is no sandbox without it */
  KITW_WALL_FILES = 2,  /* files: Landlock; without it none can be opened once the plugin is loaded */
  KITW_WALL_PORTS = 4,  /* TCP ports: Landlock, unless the network is granted */
  KITW_WALL_SIGNALS = 8 /* signals and abstract sockets: Landlock */
};

/* What a worker may have. */
enum { KITW_LIMIT_MEMORY_MIB = 1024, KITW_LIMIT_DESCRIPTORS = 64 };

/* How far loading got. */
enum {
  KITW_STAGE_IDENTITY = 1,   /* the file is not the one that was inspected */
  KITW_STAGE_SANDBOX = 8,    /* the sandbox cannot be closed */
  KITW_STAGE_OPEN = 2,       /* dlopen */
  KITW_STAGE_SYMBOL = 3,     /* the entry is missing or belongs to another file */
  KITW_STAGE_ENTRY = 4,      /* the entry refused */
  KITW_STAGE_TABLE = 5,      /* its table is short or has null slots */
  KITW_STAGE_INTERFACE = 6,  /* an interface that the note names is missing, short or has null slots */
  KITW_STAGE_DONE = 7
};

/* What was put around the plugin. Sent once, before the first byte of it can run: what comes later may be the plugin's own. */
typedef struct kitw_walls {
  uint32_t walls; /* KITW_WALL_* that stand; 0 if none were asked for */
  uint32_t reserved;
  kitw_text missing; /* why not all do, at most KITW_TEXT_MAX */
} kitw_walls;

typedef struct kitw_loaded {
  int32_t result; /* kit_result of the entry if it refused; KIT_OK iff stage is DONE */
  uint32_t stage; /* KITW_STAGE_* at which it ended */
  uint64_t event_mask[2]; /* kit_monitor_v1.event_mask, zero without a monitor */
  kitw_text detail; /* what went wrong, at most KITW_TEXT_MAX */
} kitw_loaded;

#endif
