/* SPDX-License-Identifier: Apache-2.0 */
#include <kitshell/kit.h>

KIT_PLUGIN_NOTE(KIT_KIND_LIFECYCLE, 0, KIT_FLAG_BINDS_IDS | KIT_FLAG_TAKES_OVER, 0, "id-scoped-pool", "1.0.0",
                "Pool of one player per id", "PlayerKit");
KIT_PLUGIN_OPTIONS(
    "{\"max_pool_size\": {\"type\": \"int\", \"default\": 3, \"min\": 1, \"max\": 4096,"
    " \"help\": \"players that are kept, in use or not; the pool's own size goes before it\"},"
    " \"in_use\": {\"type\": \"string\", \"default\": \"take_over\", \"choices\": [\"take_over\", \"refuse\"],"
    " \"help\": \"what becomes of a wish for an id whose player is in use\"},"
    " \"window_behind\": {\"type\": \"int\", \"default\": 1, \"min\": 0, \"max\": 4096,"
    " \"help\": \"announced items before the present one that are made ready\"},"
    " \"window_ahead\": {\"type\": \"int\", \"default\": 2, \"min\": 0, \"max\": 4096,"
    " \"help\": \"announced items after the present one that are made ready\"},"
    " \"min_idle\": {\"type\": \"int\", \"default\": 0, \"min\": 0, \"max\": 4096,"
    " \"help\": \"idle players that a time-out or memory pressure leaves\"},"
    " \"hard_max\": {\"type\": \"int\", \"default\": 0, \"min\": 0, \"max\": 4096,"
    " \"help\": \"players that may exist, in use or not; 0: any number\"},"
    " \"idle_timeout_ms\": {\"type\": \"duration\", \"default\": 0, \"min\": 0,"
    " \"help\": \"idle players go once the pool was not used for so long; 0: never\"}}");
