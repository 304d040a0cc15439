/* SPDX-License-Identifier: Apache-2.0 */
#include <kitshell/kit.h>

KIT_PLUGIN_NOTE(KIT_KIND_LIFECYCLE, 0, KIT_FLAG_TAKES_OVER, 0, "singleton", "1.0.0", "One player for all", "PlayerKit");
KIT_PLUGIN_OPTIONS("{\"idle_timeout_ms\": {\"type\": \"duration\", \"default\": 0, \"min\": 0,"
                   " \"help\": \"the player goes once it was not used for so long; 0: never\"}}");
