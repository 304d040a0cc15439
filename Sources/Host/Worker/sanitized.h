/* SPDX-License-Identifier: Apache-2.0
 * sanitized.h: whether a sanitizer is built in, which has memory and signal handlers of its own. */
#ifndef WORKER_SANITIZED_H
#define WORKER_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#endif
