/* SPDX-License-Identifier: Apache-2.0 */
#include <kitshell/kit.h>

KIT_PLUGIN_NOTE(KIT_KIND_LIFECYCLE, 0, 0, 0, "reuse-pool", "1.0.0", "Reuse pool", "PlayerKit");
KIT_PLUGIN_OPTIONS(
    "{\"max_pool_size\": {\"type\": \"int\", \"default\": 3, \"min\": 1, \"max\": 64,"
    " \"help\": \"idle players that are kept; the pool's own size goes before it\"},"
    " \"min_idle\": {\"type\": \"int\", \"default\": 0, \"min\": 0, \"max\": 64,"
    " \"help\": \"idle players that a time-out or memory pressure leaves\"}}");
