/* SPDX-License-Identifier: Apache-2.0
 * services.h: the host's services as a plugin in a worker gets them. */
#ifndef WORKER_SERVICES_H
#define WORKER_SERVICES_H

#include "kitshell/host.h"

/* Lives as long as the process. */
const kit_host_v1 *host_services(void);

/* A line for the log of the host, in the worker's own name. */
__attribute__((format(printf, 1, 2))) void services_warn(const char *format, ...);

#endif
