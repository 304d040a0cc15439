/* SPDX-License-Identifier: Apache-2.0 */
#include "rules.h"

#include <seccomp.h>
#include <asm/sockios.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#define ALWAYS(name) {SCMP_SYS(name), #name, RULE_ALWAYS, 0}
#define WITHOUT(what, name) {SCMP_SYS(name), #name, RULE_WITHOUT_##what, 0}

const rule rules[] = {
    /* Other programs, and this one as another user. */
    ALWAYS(execve), ALWAYS(execveat), ALWAYS(fork), ALWAYS(vfork), WITHOUT(THREADS, clone), ALWAYS(setuid),
    ALWAYS(setgid), ALWAYS(setreuid), ALWAYS(setregid), ALWAYS(setresuid), ALWAYS(setresgid), ALWAYS(setfsuid),
    ALWAYS(setfsgid), ALWAYS(setgroups), ALWAYS(capset), ALWAYS(personality), ALWAYS(setsid), ALWAYS(setpgid),
    {SCMP_SYS(prctl), "prctl", RULE_FIRST_IS, PR_SET_PDEATHSIG},
    {SCMP_SYS(prctl), "prctl", RULE_FIRST_IS, PR_SET_DUMPABLE},
    {SCMP_SYS(rt_sigaction), "rt_sigaction", RULE_FIRST_IS, SIGSYS},

    /* Other processes. */
    ALWAYS(ptrace), ALWAYS(process_vm_readv), ALWAYS(process_vm_writev), ALWAYS(process_madvise), ALWAYS(process_mrelease),
    ALWAYS(kcmp), ALWAYS(pidfd_open), ALWAYS(pidfd_getfd), ALWAYS(pidfd_send_signal), ALWAYS(move_pages),
    ALWAYS(migrate_pages), {SCMP_SYS(kill), "kill", RULE_TO_OTHERS, 0}, {SCMP_SYS(tgkill), "tgkill", RULE_TO_OTHERS, 0},
    {SCMP_SYS(rt_sigqueueinfo), "rt_sigqueueinfo", RULE_TO_OTHERS, 0},
    {SCMP_SYS(rt_tgsigqueueinfo), "rt_tgsigqueueinfo", RULE_TO_OTHERS, 0}, ALWAYS(tkill),
    {SCMP_SYS(prlimit64), "prlimit64", RULE_FIRST_IS_NOT, 0}, ALWAYS(setpriority), ALWAYS(ioprio_set),
    ALWAYS(sched_setscheduler), ALWAYS(sched_setparam), ALWAYS(sched_setattr),
    {SCMP_SYS(sched_setaffinity), "sched_setaffinity", RULE_FIRST_IS_NOT, 0},
    /* A descriptor that is ready can send any signal to anybody. */
    {SCMP_SYS(fcntl), "fcntl", RULE_SECOND_IS, F_SETOWN}, {SCMP_SYS(fcntl), "fcntl", RULE_SECOND_IS, F_SETOWN_EX},
    {SCMP_SYS(fcntl), "fcntl", RULE_SECOND_IS, F_SETSIG}, {SCMP_SYS(ioctl), "ioctl", RULE_SECOND_IS, FIOSETOWN},
    {SCMP_SYS(ioctl), "ioctl", RULE_SECOND_IS, SIOCSPGRP},

    /* The kernel and the machine. */
    ALWAYS(bpf), ALWAYS(perf_event_open), ALWAYS(userfaultfd), ALWAYS(io_uring_setup), ALWAYS(io_uring_enter),
    ALWAYS(io_uring_register), ALWAYS(init_module), ALWAYS(finit_module), ALWAYS(delete_module), ALWAYS(kexec_load),
    ALWAYS(kexec_file_load), ALWAYS(reboot), ALWAYS(syslog), ALWAYS(acct), ALWAYS(swapon), ALWAYS(swapoff),
    ALWAYS(iopl), ALWAYS(ioperm), ALWAYS(modify_ldt), ALWAYS(settimeofday), ALWAYS(clock_settime), ALWAYS(adjtimex),
    ALWAYS(clock_adjtime), ALWAYS(sethostname), ALWAYS(setdomainname), ALWAYS(quotactl), ALWAYS(quotactl_fd),
    ALWAYS(add_key), ALWAYS(request_key), ALWAYS(keyctl), ALWAYS(vhangup), ALWAYS(lookup_dcookie), ALWAYS(nfsservctl),

    /* Namespaces and what is mounted. */
    ALWAYS(unshare), ALWAYS(setns), ALWAYS(mount), ALWAYS(umount2), ALWAYS(pivot_root), ALWAYS(chroot),
    ALWAYS(open_tree), ALWAYS(move_mount), ALWAYS(fsopen), ALWAYS(fsconfig), ALWAYS(fsmount), ALWAYS(fspick),
    ALWAYS(mount_setattr), ALWAYS(name_to_handle_at), ALWAYS(open_by_handle_at), ALWAYS(fanotify_init),
    ALWAYS(fanotify_mark), ALWAYS(inotify_init), ALWAYS(inotify_init1),

    /* What is shared with whoever knows its name. */
    ALWAYS(shmget), ALWAYS(shmat), ALWAYS(shmctl), ALWAYS(semget), ALWAYS(semop), ALWAYS(semctl), ALWAYS(semtimedop),
    ALWAYS(msgget), ALWAYS(msgsnd), ALWAYS(msgrcv), ALWAYS(msgctl), ALWAYS(mq_open), ALWAYS(mq_unlink),
    {SCMP_SYS(socket), "socket", RULE_SOCKET, 0}, WITHOUT(NETWORK, socketpair), WITHOUT(NETWORK, bind), WITHOUT(NETWORK, connect),
    WITHOUT(NETWORK, listen), WITHOUT(NETWORK, accept), WITHOUT(NETWORK, accept4),

    /* Changing files, and where names lead. Landlock does not know the ones after the gap. */
    WITHOUT(WRITING, unlink), WITHOUT(WRITING, unlinkat), WITHOUT(WRITING, rename), WITHOUT(WRITING, renameat),
    WITHOUT(WRITING, renameat2), WITHOUT(WRITING, mkdir), WITHOUT(WRITING, mkdirat), WITHOUT(WRITING, rmdir),
    WITHOUT(WRITING, truncate),

    ALWAYS(link), ALWAYS(linkat), ALWAYS(symlink), ALWAYS(symlinkat), ALWAYS(mknod), ALWAYS(mknodat), ALWAYS(chmod),
    ALWAYS(fchmod), ALWAYS(fchmodat), ALWAYS(chown), ALWAYS(lchown), ALWAYS(fchown),
    ALWAYS(fchownat), ALWAYS(utime), ALWAYS(utimes), ALWAYS(utimensat), ALWAYS(futimesat), ALWAYS(setxattr),
    ALWAYS(lsetxattr), ALWAYS(fsetxattr), ALWAYS(removexattr), ALWAYS(lremovexattr), ALWAYS(fremovexattr),
    ALWAYS(chdir), ALWAYS(fchdir), ALWAYS(umask),
    {SCMP_SYS(ioctl), "ioctl", RULE_SECOND_IS, TIOCSTI}, {SCMP_SYS(ioctl), "ioctl", RULE_SECOND_IS, TIOCLINUX},

    /* Opening files: see denial.h. */
    {SCMP_SYS(open), "open", RULE_OPENS, 0}, {SCMP_SYS(creat), "creat", RULE_OPENS, 0},
    {SCMP_SYS(openat), "openat", RULE_OPENS, 0}, {SCMP_SYS(openat2), "openat2", RULE_OPENS, 0},
};

const size_t rule_count = sizeof rules / sizeof rules[0];
