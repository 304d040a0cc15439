/* SPDX-License-Identifier: Apache-2.0
 * Linked into a program, this stands between it, the libraries it loads, and the C library's allocator. */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

/* Threads told apart: their names are given once, before anything is counted. */
enum { ALLOCATIONS_NAMES_MAX = 8 };

/* Counts from here on, from zero, what threads of these names allocate from within the program itself and from within Swift's
 * libraries, which allocate on its behalf. What other libraries allocate is not counted. The names stay the caller's and must
 * live until the end. */
void allocations_begin(const char *const *names, int count);
void allocations_end(void);

/* Names the calling thread; 16 bytes of `former` get what it was called, unless it is NULL. */
void allocations_rename(const char *name, char *former);

/* So many calls to malloc, calloc, realloc, posix_memalign, aligned_alloc and memalign by the threads of the name at this index. */
long allocations_count(int index);

#endif
