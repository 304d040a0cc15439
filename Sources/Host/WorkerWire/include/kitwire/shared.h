/* SPDX-License-Identifier: Apache-2.0
 * shared.h: the memory that the host and a worker share. All that they say to each other goes through it.
 *
 * Two rings of messages, one each way, and one place for a decision that a thread of the host waits for. The host makes the memory,
 * KITW_SHARED_SIZE bytes, sealed against any other size. Every word has one side that writes it. The host trusts none of the worker's:
 * it keeps its own positions, reads a word once, bounds what it read, and copies a message before it looks at it.
 *
 * A ring's positions count bytes for ever; modulo its size they give the place. A message lies in one piece, padded to 8 bytes: where
 * the rest of the ring is too short for it, the writer goes on at the front, and fills the rest with a message of the kind KITW_SKIP if
 * a head fits there. */
#ifndef KITWIRE_SHARED_H
#define KITWIRE_SHARED_H

#include "message.h"

/* What a worker is started with: kit-worker PID-OF-HOST, and these descriptors. */
enum { KITW_MEMORY_DESCRIPTOR = 3, KITW_BELL_DESCRIPTOR = 4 /* a pipe: a byte wakes the host */ };

/* Written by the host. */
typedef struct kitw_host_words {
  uint64_t written;   /* to the worker so far */
  uint64_t read;      /* of what the worker wrote */
  uint32_t bell;      /* the worker's futex: changes whenever there is something for it */
  uint32_t asked;     /* number of the decision that is wanted; the question lies at its place */
  uint32_t is_asleep; /* 1: KITW_BELL_DESCRIPTOR wakes whoever reads the ring */
  uint32_t reserved[9];
} kitw_host_words;

/* Written by the worker. */
typedef struct kitw_worker_words {
  uint64_t written;
  uint64_t read;
  uint32_t answered;  /* number of the decision that was answered last; the futex of who waits for it */
  uint32_t is_asleep; /* 1: its futex has to be woken */
  uint32_t fault_signal; /* that is about to end it; 0: none is */
  uint32_t has_rejected; /* 1: it ends with KITW_EXIT_PROTOCOL because of what the host wrote, not because the plugin chose that number */
  uint64_t fault_address; /* that could not be reached, or of the instruction */
  uint64_t fault_place;   /* the instruction */
  uint64_t plugin_base;   /* where the plugin's file is mapped: what to add to the addresses in it */
  uint32_t more[2];
} kitw_worker_words;

enum {
  KITW_HOST_WORDS = 0,
  KITW_WORKER_WORDS = 64,
  KITW_QUESTION = 128, /* a message, as is the answer */
  KITW_PLACE_SIZE = 65664, /* of each: KITW_MESSAGE_MAX, rounded up to a cache line */
  KITW_ANSWER = KITW_QUESTION + KITW_PLACE_SIZE,
  KITW_TO_WORKER = KITW_ANSWER + KITW_PLACE_SIZE,
  KITW_TO_WORKER_SIZE = 1 << 19,
  KITW_TO_HOST = KITW_TO_WORKER + KITW_TO_WORKER_SIZE,
  KITW_TO_HOST_SIZE = 1 << 19,
  KITW_SHARED_SIZE = KITW_TO_HOST + KITW_TO_HOST_SIZE
};

/* Bytes that a message with a body of that length takes in a ring. */
static inline uint64_t kitw_padded(uint64_t body_length) {
  return (KITW_HEADER_SIZE + body_length + 7) & ~(uint64_t)7;
}

static inline uint64_t kitw_load64(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static inline uint32_t kitw_load32(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static inline void kitw_store64(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }
static inline void kitw_store32(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }
static inline void kitw_add32(uint32_t *word) { __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST); }

#endif
