/* SPDX-License-Identifier: Apache-2.0 */
#include <kitshell/kit.h>

KIT_PLUGIN_NOTE(KIT_KIND_LIFECYCLE, 0, 0, 0, "reuse-pool", "1.0.0", "Reuse pool", "PlayerKit");
KIT_PLUGIN_OPTIONS(
    "{\"max_pool_size\": {\"type\": \"int\", \"default\": 3, \"min\": 1, \"max\": 4096,"
    " \"help\": \"idle players that are kept; the pool's own size goes before it\"},"
    " \"min_idle\": {\"type\": \"int\", \"default\": 0, \"min\": 0, \"max\": 4096,"
    " \"help\": \"idle players that a time-out or memory pressure leaves\"},"
    " \"hard_max\": {\"type\": \"int\", \"default\": 0, \"min\": 0, \"max\": 4096,"
    " \"help\": \"players that may exist, in use or not; 0: any number\"},"
    " \"idle_timeout_ms\": {\"type\": \"duration\", \"default\": 0, \"min\": 0,"
    " \"help\": \"idle players go once the pool was not used for so long; 0: never\"}}");
