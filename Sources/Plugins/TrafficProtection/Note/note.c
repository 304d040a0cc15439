/* SPDX-License-Identifier: Apache-2.0 */
#include <kitshell/kit.h>

KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, 0, 0, 0, "traffic-protection", "1.0.0", "Playback on a cellular network", "PlayerKit");
KIT_PLUGIN_OPTIONS("{\"debounce_ms\": {\"type\": \"duration\", \"default\": 2000, \"min\": 0, \"max\": 600000,"
                   " \"help\": \"a change of network counts once it has lasted so long\"}}");
