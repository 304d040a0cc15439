/* SPDX-License-Identifier: Apache-2.0
 * report.h: what a monitor says of a session. */
#ifndef KITSHELL_REPORT_H
#define KITSHELL_REPORT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif
/* A record replaces the former one of the same name and session; an occurrence is appended. */
enum { KIT_REPORT_RECORD = 1, KIT_REPORT_OCCURRENCE = 2 };

/* Field types: which member of kit_field_v1 holds the value. */
enum {
  KIT_FIELD_UNKNOWN = 0,  /* the field is there, its value is not known; shown as null */
  KIT_FIELD_INT = 1,      /* integer */
  KIT_FIELD_DOUBLE = 2,   /* number; not finite is taken as unknown */
  KIT_FIELD_STRING = 3,   /* text */
  KIT_FIELD_DURATION = 4, /* integer: microseconds, KIT_UNKNOWN allowed; shown in milliseconds, name the key …_ms */
  KIT_FIELD_FLAG = 5      /* integer: 0 or 1 */
};

/* One key and its value. */
typedef struct kit_field_v1 {
  uint32_t struct_size;
  uint32_t type; /* KIT_FIELD_* */
  kit_str key;   /* [a-z][a-z0-9_]*, at most 64 bytes, once a report */
  int64_t integer;
  double number;
  kit_str text;
} kit_field_v1;

/* What is emitted. All it points to is the plugin's and borrowed until emit returns. */
typedef struct kit_report_v1 {
  uint32_t struct_size;
  uint32_t kind;    /* KIT_REPORT_* */
  uint32_t session; /* kit_event_v1.session of the session it speaks of */
  uint32_t flags;   /* 0 */
  kit_str name;     /* [a-z][a-z0-9_]*, at most 64 bytes */
  const kit_field_v1 *KIT_NULLABLE fields; /* null iff field_count is 0 */
  uint32_t field_count;                    /* at most 64 */
  uint32_t field_stride;
} kit_report_v1;

/* Where reports go; valid during the call that was given it. */
typedef struct kit_report_sink_v1 {
  uint32_t struct_size;
  uint32_t reserved;
  void *KIT_NULLABLE host_context; /* the host's own; do not touch */

  /* [serial] Copies the report, which is borrowed until the return. To be called within the call that was given the sink, on its
   * thread; never blocks. KIT_BAD_ARG: a name or key breaks its grammar, or a pointer or count is inconsistent. KIT_STALE: no
   * such session. KIT_LIMIT: too many names, too many in a second of event time (1,000), or too large (32 KiB with its name, keys
   * and texts); the host counts what it cut. The report is then not taken. */
  kit_result (*emit)(const struct kit_report_sink_v1 *sink, const kit_report_v1 *report);
} kit_report_sink_v1;

#ifdef __cplusplus
}
#endif
#endif
