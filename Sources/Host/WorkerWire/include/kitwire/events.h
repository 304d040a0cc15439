/* SPDX-License-Identifier: Apache-2.0
 * events.h: a batch of events. The records are those of the plugin ABI, byte for byte. */
#ifndef KITWIRE_EVENTS_H
#define KITWIRE_EVENTS_H

#include "message.h"

typedef struct kitw_events {
  uint32_t controller;
  uint32_t event_count;
  uint32_t events_offset; /* of kit_event_v1[event_count], a multiple of 8 */
  uint32_t reserved;
  uint64_t dropped; /* kit_event_batch_v1.dropped */
  kitw_text text;   /* the text area that the records point into */
} kitw_events;

#endif
