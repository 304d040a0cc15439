/* SPDX-License-Identifier: Apache-2.0 */
/* The module is headers only; one translation unit keeps every SwiftPM build engine content. */
#include "kitwire/wire.h"
