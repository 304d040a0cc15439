/* SPDX-License-Identifier: Apache-2.0
 *
 * kit.h: the plugin ABI, version 1. It grows and never changes: what is in it stays.
 *
 * A plugin is a shared library that carries two ELF notes (note.h), exports one function (plugin.h) and implements
 * one or both interfaces (lifecycle.h, monitor.h). It links against no symbol of the host.
 *
 * Conventions that hold in every header of this folder:
 *
 *  - [serial] one call at a time per instance, on any OS thread. [any] callable from any thread, concurrently.
 *  - In-parameters are borrowed until the call returns; copy what you keep. Results go into buffers that the host gave,
 *    or through a sink. Nobody ever frees memory of the other side.
 *  - Every structure that crosses the boundary begins with struct_size, grows only at its end, and means "default" where it is zero.
 *    Read no member that lies beyond the struct_size you were given.
 *  - Arrays are pointer + count + stride: element i lies at (const char *)items + i * stride.
 *  - Unknown event types, flags, request kinds and result codes are data, not errors.
 *  - Pointers are non-null unless the text says "may be null".
 *  - Nothing may be thrown across the boundary, and no call of the host may be left other than by returning.
 */
#ifndef KITSHELL_KIT_H
#define KITSHELL_KIT_H

#include "base.h"
#include "event.h"
#include "host.h"
#include "lifecycle.h"
#include "monitor.h"
#include "note.h"
#include "plugin.h"
#include "report.h"

#endif
