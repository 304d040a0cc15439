/* SPDX-License-Identifier: Apache-2.0
 * instance.h: making an instance, and what it asks for. Its number is the host's choice and travels in the header. */
#ifndef KITWIRE_INSTANCE_H
#define KITWIRE_INSTANCE_H

#include "message.h"

/* Instances that a worker holds at a time. A number that was destroyed may be used again. */
enum { KITW_INSTANCES_MAX = 256 };

typedef struct kitw_option {
  uint32_t type; /* KIT_OPTION_* */
  uint32_t reserved;
  int64_t integer;
  double number;
  kitw_text key;
  kitw_text text;
} kitw_option;

typedef struct kitw_create {
  uint32_t kind; /* KIT_KIND_LIFECYCLE or KIT_KIND_MONITOR */
  uint32_t option_count;
  uint32_t options_offset; /* of kitw_option[option_count], a multiple of 8 */
  uint32_t may_act;        /* 1: its requests for actions are granted */
  kitw_text name;
} kitw_create;

/* Requests of one session; what comes on top is refused on both sides. */
enum { KITW_ACTIONS_MAX = 64 };

/* The arguments of kit_host_v1.request_action. Not answered: the worker knows the rules, the outcome is an event. */
typedef struct kitw_action {
  uint64_t sequence;
  int64_t argument;
  uint32_t session;
  int32_t action;
} kitw_action;

#endif
