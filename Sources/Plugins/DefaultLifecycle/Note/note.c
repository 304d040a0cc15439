/* SPDX-License-Identifier: Apache-2.0 */
#include <kitshell/kit.h>

KIT_PLUGIN_NOTE(KIT_KIND_LIFECYCLE, 0, 0, 0, "default", "1.0.0", "A player for every source", "PlayerKit");
