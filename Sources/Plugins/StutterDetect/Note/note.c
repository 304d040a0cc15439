/* SPDX-License-Identifier: Apache-2.0 */
#include <kitshell/kit.h>

KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, 0, 0, 0, "stutter-detect", "1.0.0", "Stutters, stay and valid play time", "PlayerKit");
KIT_PLUGIN_OPTIONS("{\"threshold_ms\": {\"type\": \"duration\", \"default\": 0, \"min\": 0,"
                   " \"help\": \"a loading shorter than this is no stutter\"},"
                   " \"thresholds_ms\": {\"type\": \"list of duration\", \"min\": 0,"
                   " \"help\": \"up to 8 more, each counted in a record of its own\"}}");
