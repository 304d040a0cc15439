/* SPDX-License-Identifier: Apache-2.0
 * wire.h: what the host and a worker, the child process that runs one plugin, say to each other through the memory they share.
 *
 * A message is kitw_header, then a body of header.length bytes that begins with the structure of its kind. Fixed-width, little-endian, no
 * pointers: what varies in length lies behind that structure and is named by offset. Each side takes every byte of the other for
 * hostile and ends the conversation at the first one that breaks a rule of these headers.
 *
 * The host sends one call at a time and waits for its answer, which carries the call's id. In between the worker may send
 * REPORT, LOG, ERROR_TEXT, ACTION, WALLS and DENIED. A decision is asked for and answered at a place of its own, so that who waits for it waits for nobody else. */
#ifndef KITWIRE_WIRE_H
#define KITWIRE_WIRE_H

#include "decision.h"
#include "events.h"
#include "instance.h"
#include "load.h"
#include "message.h"
#include "report.h"
#include "shared.h"

#endif
