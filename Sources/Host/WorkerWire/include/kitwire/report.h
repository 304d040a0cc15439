/* SPDX-License-Identifier: Apache-2.0
 * report.h: a report, as kit_report_v1 with offsets instead of pointers. */
#ifndef KITWIRE_REPORT_H
#define KITWIRE_REPORT_H

#include "message.h"

enum { KITW_FIELDS_MAX = 64 };

/* Reports of one call that are sent: the host takes no more in a second of event time, and a call has events of one second. */
enum { KITW_REPORTS_MAX = 1000 };

typedef struct kitw_field {
  uint32_t type; /* KIT_FIELD_* */
  uint32_t reserved;
  int64_t integer;
  double number;
  kitw_text key;
  kitw_text text;
} kitw_field;

typedef struct kitw_report {
  uint32_t kind;    /* KIT_REPORT_* */
  uint32_t session;
  uint32_t flags;
  uint32_t field_count;   /* at most KITW_FIELDS_MAX */
  uint32_t fields_offset; /* of kitw_field[field_count], a multiple of 8 */
  uint32_t reserved;
  kitw_text name;
} kitw_report;

#endif
