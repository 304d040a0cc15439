/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CJANSSON_SHIM_H
#define CJANSSON_SHIM_H
#include <jansson.h>
#endif
