/* SPDX-License-Identifier: Apache-2.0 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <seccomp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "denial.h"
#include "kitshell/note.h"
#include "kitwire/load.h"
#include "landlock.h"
#include "rules.h"
#include "sanitized.h"

static bool has_files_wall;

/* A plugin that takes all it can hurts itself only. A limit that is lower already stays. */
static bool limit(__rlimit_resource_t resource, rlim_t most) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return false;
  if (now.rlim_max < most) most = now.rlim_max;
  return setrlimit(resource, &(struct rlimit){most, most}) == 0;
}

static bool limit_amounts(const sandbox_order *order) {
  bool is_limited = limit(RLIMIT_CORE, 0) && limit(RLIMIT_NOFILE, KITW_LIMIT_DESCRIPTORS) &&
                    (order->grants & KIT_CAP_WRITE_PATHS || limit(RLIMIT_FSIZE, 0));
#ifndef IS_SANITIZED
  is_limited = is_limited && limit(RLIMIT_AS, (rlim_t)KITW_LIMIT_MEMORY_MIB << 20);
#endif
  return is_limited;
}

/* Root without its powers is a user who owns much. */
static bool drop_powers(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  return syscall(SYS_capset, &header, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* Every family but those of the internet, 2 and 10. */
static int add_socket_rules(scmp_filter_ctx filter, int number) {
  _Static_assert(AF_INET == 2 && AF_INET6 == 10, "the families between them are named by number");
  int status = seccomp_rule_add(filter, SCMP_ACT_TRAP, number, 1, SCMP_A0(SCMP_CMP_LT, AF_INET));
  if (status == 0) status = seccomp_rule_add(filter, SCMP_ACT_TRAP, number, 1, SCMP_A0(SCMP_CMP_GT, AF_INET6));
  for (uint64_t family = AF_INET + 1; family < AF_INET6 && status == 0; family++)
    status = seccomp_rule_add(filter, SCMP_ACT_TRAP, number, 1, SCMP_A0(SCMP_CMP_EQ, family));
  return status;
}

static int add_rule(scmp_filter_ctx filter, const rule *rule, uint32_t grants) {
  uint64_t self = (uint64_t)getpid();
  switch (rule->when) {
    case RULE_ALWAYS: return seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 0);
    case RULE_WITHOUT_NETWORK:
      return grants & KIT_CAP_NETWORK ? 0 : seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 0);
    case RULE_WITHOUT_WRITING:
      return grants & KIT_CAP_WRITE_PATHS ? 0 : seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 0);
    case RULE_WITHOUT_THREADS:
      if (!(grants & KIT_CAP_THREADS)) return seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 0);
      return seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    case RULE_TO_OTHERS:
      return seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 1, SCMP_A0(SCMP_CMP_NE, self));
    case RULE_FIRST_IS_NOT:
      return seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 1, SCMP_A0(SCMP_CMP_NE, rule->value));
    /* The kernel looks at the lower half only. */
    case RULE_FIRST_IS:
      return seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 1,
                              SCMP_A0(SCMP_CMP_MASKED_EQ, 0xffffffff, rule->value));
    case RULE_SECOND_IS:
      return seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 1,
                              SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, rule->value));
    case RULE_SOCKET:
      return grants & KIT_CAP_NETWORK ? add_socket_rules(filter, rule->number)
                                      : seccomp_rule_add(filter, SCMP_ACT_TRAP, rule->number, 0);
    case RULE_OPENS: return 0;
  }
  return -EINVAL;
}

/* In place of Landlock: no file is opened to change it, through the gate or past it. */
static int forbid_writing(scmp_filter_ctx filter) {
  static const struct { uint64_t mask, value; } flags[] = {
      {O_ACCMODE, O_WRONLY}, {O_ACCMODE, O_RDWR}, {O_ACCMODE, O_ACCMODE}, {O_CREAT, O_CREAT}, {O_TRUNC, O_TRUNC}};
  int status = seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(openat2), 0);
  if (status == 0 && SCMP_SYS(creat) >= 0) status = seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(creat), 0);
  for (size_t i = 0; i < sizeof flags / sizeof flags[0] && status == 0; i++) {
    struct scmp_arg_cmp second = SCMP_A1(SCMP_CMP_MASKED_EQ, flags[i].mask, flags[i].value);
    struct scmp_arg_cmp third = SCMP_A2(SCMP_CMP_MASKED_EQ, flags[i].mask, flags[i].value);
    if (SCMP_SYS(open) >= 0) status = seccomp_rule_add_array(filter, SCMP_ACT_TRAP, SCMP_SYS(open), 1, &second);
    if (status == 0) status = seccomp_rule_add_array(filter, SCMP_ACT_TRAP, SCMP_SYS(openat), 1, &third);
  }
  denial_set_gate(GATE_READ_ONLY);
  return status;
}

static bool close_calls(uint32_t grants, char *why, size_t why_size) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == NULL) {
    snprintf(why, why_size, "there is no memory for the seccomp filter");
    return false;
  }
  /* The C library falls back to clone, whose flags can be looked at. */
  int status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  for (size_t i = 0; i < rule_count && status == 0; i++) {
    if (rules[i].number < 0) continue;
    status = add_rule(filter, &rules[i], grants);
    if (status != 0) snprintf(why, why_size, "seccomp takes no rule for %s: %s", rules[i].name, strerror(-status));
  }
  if (status == 0 && !has_files_wall) {
    status = forbid_writing(filter);
    if (status != 0) snprintf(why, why_size, "seccomp takes no rule against writing files: %s", strerror(-status));
  }
  if (status == 0) {
    status = seccomp_load(filter);
    if (status != 0) snprintf(why, why_size, "seccomp takes no filter: %s", strerror(-status));
  }
  seccomp_release(filter);
  return status == 0;
}

bool sandbox_close(const sandbox_order *order, uint32_t *walls, char *why, size_t why_size) {
  *walls = 0;
  if (!limit_amounts(order)) {
    snprintf(why, why_size, "what the worker may take cannot be limited: %s", strerror(errno));
    return false;
  }
  if (!drop_powers() || !denial_watch()) {
    snprintf(why, why_size, "the worker cannot give up its powers: %s", strerror(errno));
    return false;
  }
  uint32_t guarded = landlock_close(order, why, why_size);
  has_files_wall = guarded & KITW_WALL_FILES;
  if (!close_calls(order->grants, why, why_size)) return false;
  if (!denial_guard_opens()) {
    snprintf(why, why_size, "seccomp takes no second filter: %s", strerror(errno));
    return false;
  }
  *walls = guarded | KITW_WALL_CALLS;
  return true;
}

bool sandbox_seal(char *why, size_t why_size) {
  if (has_files_wall) return true;
  denial_set_gate(GATE_CLOSED);
  /* The gate is memory that the plugin can reach: without Landlock behind it, opening ends for every thread. */
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  int status = filter == NULL ? -ENOMEM : seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
  for (size_t i = 0; i < rule_count && status == 0; i++)
    if (rules[i].number >= 0 && rules[i].when == RULE_OPENS)
      status = seccomp_rule_add(filter, SCMP_ACT_TRAP, rules[i].number, 0);
  if (status == 0) status = seccomp_load(filter);
  if (status != 0) snprintf(why, why_size, "seccomp takes no filter against opening files: %s", strerror(-status));
  if (filter != NULL) seccomp_release(filter);
  return status == 0;
}
