/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CELF_SHIM_H
#define CELF_SHIM_H
#include <gelf.h>
#include <libelf.h>
#endif
