/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "allocations.h"

#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

/* What glibc's own allocator is called besides. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { RANGES_MAX = 64 };

static struct {
  uintptr_t start, end;
} ranges[RANGES_MAX];
static int range_count;
static const char *const *thread_names;
static int name_count;
static atomic_long counts[ALLOCATIONS_NAMES_MAX];
static atomic_bool is_counting;

static int note_ranges(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  const char *file = strrchr(info->dlpi_name, '/');
  file = file != NULL ? file + 1 : info->dlpi_name;
  /* The program itself has no name. */
  if (file[0] != '\0' && strncmp(file, "libswift", 8) != 0) return 0;
  for (int i = 0; i < info->dlpi_phnum && range_count < RANGES_MAX; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || (part->p_flags & PF_X) == 0) continue;
    ranges[range_count].start = info->dlpi_addr + part->p_vaddr;
    ranges[range_count].end = ranges[range_count].start + part->p_memsz;
    range_count++;
  }
  return 0;
}

void allocations_begin(const char *const *names, int count) {
  if (range_count == 0) dl_iterate_phdr(note_ranges, NULL);
  thread_names = names;
  name_count = count < ALLOCATIONS_NAMES_MAX ? count : ALLOCATIONS_NAMES_MAX;
  for (int i = 0; i < name_count; i++) atomic_store(&counts[i], 0);
  atomic_store(&is_counting, true);
}

void allocations_end(void) { atomic_store(&is_counting, false); }

long allocations_count(int index) {
  return index >= 0 && index < ALLOCATIONS_NAMES_MAX ? atomic_load(&counts[index]) : 0;
}

void allocations_rename(const char *name, char *former) {
  if (former != NULL) prctl(PR_GET_NAME, former);
  prctl(PR_SET_NAME, name);
}

static void note(const void *caller) {
  if (!atomic_load_explicit(&is_counting, memory_order_acquire)) return;
  bool is_ours = false;
  for (int i = 0; i < range_count && !is_ours; i++) {
    is_ours = (uintptr_t)caller >= ranges[i].start && (uintptr_t)caller < ranges[i].end;
  }
  if (!is_ours) return;
  char name[16] = "";
  prctl(PR_GET_NAME, name);
  for (int i = 0; i < name_count; i++) {
    if (strcmp(name, thread_names[i]) == 0) atomic_fetch_add_explicit(&counts[i], 1, memory_order_relaxed);
  }
}

void *malloc(size_t size) {
  note(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  note(__builtin_return_address(0));
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  note(__builtin_return_address(0));
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  note(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  note(__builtin_return_address(0));
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *made = __libc_memalign(alignment, size);
  if (made == NULL) return ENOMEM;
  *block = made;
  return 0;
}
