/* SPDX-License-Identifier: Apache-2.0 */
#include "denial.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "message.h"
#include "rules.h"

#ifndef SYS_open
#define SYS_open (-1) /* this machine has openat only */
#define SYS_creat (-2)
#endif

#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1 /* siginfo_t.si_code */
#endif

/* The newest system call that rules.c was written against (cachestat, Linux 6.5): what came later is taken for missing, which every C
   library is prepared for. */
enum { NEWEST_CALL = 451 };

/* Tellings of one kind of call; paths are worth more of them. */
enum { TOLD_MAX = 1, OPENS_TOLD_MAX = 16, PATH_TOLD_MAX = 512 };

/* One system call from a place of its own, `gate_return`, by which seccomp knows it. Returns as the kernel does. */
long gate(long number, long a, long b, long c, long d);
extern const char gate_return[];

#if defined(__x86_64__)
__asm__(
    ".text\n.hidden gate\n.hidden gate_return\n.globl gate\n.globl gate_return\n.type gate, @function\n"
    "gate:\n  mov %rdi, %rax\n  mov %rsi, %rdi\n  mov %rdx, %rsi\n  mov %rcx, %rdx\n  mov %r8, %r10\n  syscall\n"
    "gate_return:\n  ret\n");
enum { ARCHITECTURE = AUDIT_ARCH_X86_64 };
static long argument(const ucontext_t *at, int index) {
  static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10};
  return at->uc_mcontext.gregs[registers[index]];
}
static void answer(ucontext_t *at, long result) { at->uc_mcontext.gregs[REG_RAX] = result; }
#elif defined(__aarch64__)
__asm__(
    ".text\n.hidden gate\n.hidden gate_return\n.globl gate\n.globl gate_return\n.type gate, %function\n"
    "gate:\n  mov x8, x0\n  mov x0, x1\n  mov x1, x2\n  mov x2, x3\n  mov x3, x4\n  svc #0\ngate_return:\n  ret\n");
enum { ARCHITECTURE = AUDIT_ARCH_AARCH64 };
static long argument(const ucontext_t *at, int index) { return (long)at->uc_mcontext.regs[index]; }
static void answer(ucontext_t *at, long result) { at->uc_mcontext.regs[0] = (unsigned long)result; }
#else
#error "the sandbox knows x86-64 and AArch64"
#endif

static atomic_int width = GATE_OPEN;

bool denial_is_open(int number) {
  return number == SYS_open || number == SYS_creat || number == SYS_openat || number == SYS_openat2;
}

const char *denial_name(int number) {
  for (size_t i = 0; i < rule_count; i++)
    if (rules[i].number == number) return rules[i].name;
  return NULL;
}

/* Whether to tell of one more call of this kind. */
static bool is_worth_telling(int number) {
  static atomic_int opens;
  static atomic_int told[512];
  if (denial_is_open(number)) return atomic_fetch_add(&opens, 1) < OPENS_TOLD_MAX;
  return number >= 0 && number < 512 && atomic_fetch_add(&told[number], 1) < TOLD_MAX;
}

/* Signal-safe. `path` is readable, or null. */
static void tell(int number, const char *path) {
  if (!is_worth_telling(number)) return;
  const char *name = denial_name(number);
  outgoing message;
  kitw_line body = {.code = number};
  char text[64 + PATH_TOLD_MAX];
  size_t length = name == NULL ? 0 : strlen(name);
  memcpy(text, name, length);
  if (path != NULL) {
    text[length++] = ' ';
    size_t of_path = strnlen(path, PATH_TOLD_MAX);
    memcpy(text + length, path, of_path);
    length += of_path;
  }
  outgoing_begin(&message, KITW_DENIED, 0, 0);
  outgoing_add(&message, &body, sizeof body);
  body.text = outgoing_add(&message, text, length);
  outgoing_send(&message);
}

/* Whether it can change a file, as far as its arguments say: those of openat2 lie in memory. */
static bool is_writing(int number, long flags) {
  return (number != SYS_open && number != SYS_openat) || (flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != 0;
}

/* Opens what it may, and tells of what it may not. */
static long open_through_gate(int number, const ucontext_t *at) {
  int path_index = number == SYS_openat || number == SYS_openat2 ? 1 : 0;
  long path = argument(at, path_index);
  int now = atomic_load(&width);
  bool passes = now == GATE_OPEN || (now == GATE_READ_ONLY && !is_writing(number, argument(at, path_index + 1)));
  long result = passes ? gate(number, argument(at, 0), argument(at, 1), argument(at, 2), argument(at, 3)) : -EACCES;
  if (result != -EACCES && result != -EPERM) return result;
  /* Does not follow a pointer that the kernel would not. */
  if (gate(SYS_faccessat, AT_FDCWD, path, F_OK, 0) != -EFAULT) tell(number, (const char *)path);
  return result;
}

static void on_trap(int signal_number, siginfo_t *info, void *context) {
  if (info->si_code != SYS_SECCOMP) {
    /* Somebody sent it by hand: as if nobody handled it. A call that is trapped while the signal is blocked ends the process. */
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    sigprocmask(SIG_BLOCK, &set, NULL);
    syscall(SYS_ptrace, 0, 0, 0, 0);
    _exit(128 + signal_number);
  }
  int saved = errno;
  ucontext_t *at = context;
  long result = -EPERM;
  if (denial_is_open(info->si_syscall))
    result = open_through_gate(info->si_syscall, at);
  else
    tell(info->si_syscall, NULL);
  answer(at, result);
  errno = saved;
}

bool denial_watch(void) {
  struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
  return sigaction(SIGSYS, &action, NULL) == 0;
}

bool denial_guard_opens(void) {
  uintptr_t place = (uintptr_t)gate_return;
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 11), /* another one is the other filter's to end */
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, NEWEST_CALL, 10, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)SYS_open, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)SYS_creat, 2, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(place >> 32), 0, 2),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)place, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
  };
  struct sock_fprog filter = {.len = sizeof program / sizeof program[0], .filter = program};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

void denial_set_gate(gate_width given) { atomic_store(&width, given); }
