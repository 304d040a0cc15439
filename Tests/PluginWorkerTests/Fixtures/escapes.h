/* SPDX-License-Identifier: Apache-2.0
 * Attempts to reach beyond the worker. `escapes_told` says of each `name errno,`; 0 is one that got through. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

static void *escapes_thread(void *given) { return given; }

static long escapes_program(void) {
  char *const arguments[] = {"true", NULL};
  return execve("/bin/true", arguments, NULL);
}

static long escapes_memory_program(void) {
  char *const arguments[] = {"true", NULL};
  int program = (int)syscall(SYS_memfd_create, "program", 0);
  return syscall(SYS_execveat, program, "", arguments, NULL, AT_EMPTY_PATH);
}

static long escapes_parent_memory(int flags) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/mem", (int)getppid());
  return open(path, flags);
}

static char escapes_told[2048];
static int escapes_number;

/* The one attempt that is made, after the name of this file, as in attempt-7.so; -1 for all. */
static int escapes_wanted(void) {
  Dl_info info;
  if (dladdr((const void *)escapes_told, &info) == 0) return -1;
  const char *name = strrchr(info.dli_fname, '/'), *number = strchr(name == NULL ? info.dli_fname : name, '-');
  return number == NULL ? -1 : atoi(number + 1);
}

#define TRY(name, attempt)                                                              \
  do {                                                                                  \
    int wanted = escapes_wanted();                                                      \
    if (escapes_number++ == wanted || wanted < 0) {                                     \
      errno = 0;                                                                        \
      long result = (long)(attempt);                                                    \
      size_t told = strlen(escapes_told);                                               \
      snprintf(escapes_told + told, sizeof escapes_told - told, name " %d,", result < 0 ? errno : 0); \
    }                                                                                   \
  } while (0)

static void escapes_try(void) {
  TRY("read-passwd", open("/etc/passwd", O_RDONLY));
  TRY("read-shadow", syscall(SYS_open, "/etc/shadow", O_RDONLY));
  TRY("read-home", open(HOME_FILE, O_RDONLY));
  TRY("write-home", open(HOME_FILE ".new", O_WRONLY | O_CREAT, 0600));
  TRY("create", creat(HOME_FILE ".new", 0600));
  TRY("list-directory", open("/etc", O_RDONLY | O_DIRECTORY));
  TRY("read-parent-memory", escapes_parent_memory(O_RDONLY));
  TRY("write-parent-memory", escapes_parent_memory(O_RDWR));
  TRY("read-parent", syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
  TRY("trace-parent", ptrace(PTRACE_ATTACH, getppid(), NULL, NULL));
  TRY("kill-parent", kill(getppid(), SIGTERM));
  TRY("kill-all", kill(-1, SIGTERM));
  TRY("signal-thread-of-parent", syscall(SYS_tgkill, getppid(), getppid(), SIGTERM));
  TRY("signal-through-descriptor", fcntl(1, F_SETOWN, getppid()));
  TRY("pin-parent", sched_setaffinity(getppid(), sizeof(cpu_set_t), &(cpu_set_t){{1}}));
  TRY("parent-descriptor", syscall(SYS_pidfd_open, getppid(), 0));
  TRY("limit-parent", syscall(SYS_prlimit64, getppid(), 0, NULL, NULL));
  TRY("execute", escapes_program());
  TRY("execute-memory", escapes_memory_program());
  TRY("socket-inet", socket(AF_INET, SOCK_STREAM, 0));
  TRY("socket-unix", socket(AF_UNIX, SOCK_STREAM, 0));
  TRY("socket-netlink", socket(AF_NETLINK, SOCK_RAW, 0));
  TRY("io-uring", syscall(SYS_io_uring_setup, 1, NULL));
  TRY("user-namespace", unshare(CLONE_NEWUSER));
  TRY("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL));
  TRY("bpf", syscall(SYS_bpf, 0, NULL, 0));
  TRY("perf", syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0));
  TRY("keys", syscall(SYS_keyctl, 0, 0));
  TRY("shared-memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
  TRY("remove", unlink(HOME_FILE));
  TRY("change-mode", chmod(HOME_FILE, 0777));
  TRY("change-directory", chdir("/"));
  TRY("new-session", setsid());
  TRY("outlive-host", prctl(PR_SET_PDEATHSIG, 0));
  TRY("become-root", setuid(0));
  TRY("hide-denials", signal(SIGSYS, SIG_DFL) == SIG_ERR ? -1 : 0);
  TRY("fork", syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
}
