/* SPDX-License-Identifier: Apache-2.0
 * message.h: the head of every message, the kinds, the bounds. */
#ifndef KITWIRE_MESSAGE_H
#define KITWIRE_MESSAGE_H

#include <stdint.h>

/* Changes whenever a structure or a rule of these headers does; host and worker are installed together. */
#define KITW_WIRE_VERSION 0x4b495709u /* "KIW", then a counter */

enum {
  KITW_BODY_MAX = 65536,
  KITW_HEADER_SIZE = 24,
  KITW_MESSAGE_MAX = KITW_HEADER_SIZE + KITW_BODY_MAX,
  KITW_TEXT_MAX = 4096 /* bytes of a log line or an error text; what is longer is cut */
};

/* What the worker ends with when it is not the plugin that ended it. */
enum {
  KITW_EXIT_STOPPED = 0,  /* told to, or the host is gone */
  KITW_EXIT_USAGE = 64,   /* wrong arguments */
  KITW_EXIT_PROTOCOL = 76 /* what the host wrote breaks the rules */
};

/* Kinds of message. The comment names the body's structure; a kind without one has none. */
enum {
  KITW_SKIP = 0, /* nothing: the ring goes on at its front */

  /* host to worker, each answered by the kind of the second list that has the same name */
  KITW_LOAD = 1,    /* kitw_load; the first message */
  KITW_CREATE = 2,  /* kitw_create */
  KITW_EVENTS = 3,  /* kitw_events */
  KITW_DECIDE = 4,  /* kitw_decide; at its own place, never in a ring, as is its answer */
  KITW_DESTROY = 5,
  KITW_STOP = 6,    /* not answered: the worker ends */
  KITW_PING = 7,    /* answered by PONG; asked of a worker that has had nothing to do for a while */

  /* worker to host */
  KITW_HELLO = 64,       /* kitw_hello; sent once, before anything else, with call id 0 */
  KITW_LOADED = 65,      /* kitw_loaded */
  KITW_CREATED = 66,     /* kitw_result */
  KITW_EVENTS_DONE = 67, /* kitw_result */
  KITW_DECISION = 68,    /* kitw_decision */
  KITW_DESTROYED = 69,   /* kitw_result */
  KITW_PONG = 70,
  KITW_REPORT = 71,    /* kitw_report; only while EVENTS is being answered, with its call id and instance */
  KITW_LOG = 72,       /* kitw_line, with the level in `code` */
  KITW_ERROR_TEXT = 73, /* kitw_line, with the result in `code`; call id as REPORT, or 0 outside of any call */
  KITW_ACTION = 74,     /* kitw_action; of the instance in the header, with call id 0, at any time */
  KITW_WALLS = 76,      /* kitw_walls; while LOAD is being answered, with its call id, unless the file is not the one that was inspected */
  KITW_DENIED = 75      /* kitw_line: the sandbox denied the system call `code`; its name, and the path it was for. Call id 0, at any time */
};

typedef struct kitw_header {
  uint32_t version;  /* KITW_WIRE_VERSION */
  uint32_t kind;     /* KITW_* */
  uint64_t call;     /* chosen by the host, never 0, never used twice */
  uint32_t instance; /* 0: none */
  uint32_t length;   /* of the body, at most KITW_BODY_MAX */
} kitw_header;

/* Bytes of the same body, counted from the body's first. Offset + length never passes its end. */
typedef struct kitw_text {
  uint32_t offset;
  uint32_t length;
} kitw_text;

typedef struct kitw_result {
  int32_t result;   /* kit_result, as the plugin gave it */
  uint32_t refused; /* EVENTS_DONE, DESTROYED: reports that the worker has refused since the last one; 0 in others */
} kitw_result;

typedef struct kitw_line {
  int32_t code;
  uint32_t reserved;
  kitw_text text; /* at most KITW_TEXT_MAX */
} kitw_line;

#endif
