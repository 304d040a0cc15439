/* SPDX-License-Identifier: Apache-2.0
 * lifecycle.h: putting one question to a lifecycle strategy. */
#ifndef WORKER_LIFECYCLE_H
#define WORKER_LIFECYCLE_H

#include "library.h"

/* Answers DECIDE. */
void lifecycle_decide(const incoming *message, const library *loaded);

/* What the plugin said through report_error of the decision that it is asked for. Under the lock of the call. */
void lifecycle_note_said(kit_str text);

#endif
