/* SPDX-License-Identifier: Apache-2.0 */
#include <kitshell/kit.h>

KIT_PLUGIN_NOTE(KIT_KIND_MONITOR, 0, 0, 0, "first-frame", "1.0.0", "Time to first frame", "PlayerKit");
