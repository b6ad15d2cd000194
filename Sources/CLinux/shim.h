#pragma once
// Swift's own Glibc module sees the headers without _GNU_SOURCE. With it fd_set looks different here, and no file
// could import both modules; so only what is wanted of it is asked for: struct ucred, accept4, pipe2 and
// posix_spawn_file_actions_addclosefrom_np.
#include <features.h>
#ifndef __USE_GNU
#define __USE_GNU 1
#endif
#include <asm/unistd.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/prctl.h>
#include <malloc.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <unistd.h>

/* Without <sys/prctl.h>, whose names would be this module's and not Glibc's. */
extern int prctl(int option, ...);

/* As prctl: <errno.h> and <sys/auxv.h> have names that are Glibc's. */
extern char *program_invocation_name;
extern unsigned long getauxval(unsigned long type);
/* The name that this program was called by (argv[0]), known where /proc is not mounted as well. */
static inline const char *adhand_called_name(void) { return program_invocation_name; }
/* The path that the kernel was given to execute: it may be a link. */
static inline const char *adhand_executed_path(void) { return (const char *)getauxval(31 /* AT_EXECFN */); }

/* As prctl: <sys/mman.h> has names that are Glibc's. */
extern int memfd_create(const char *name, unsigned int flags);
/* A file without a name, closed when another program is run. */
static inline int adhand_nameless_file(void) { return memfd_create("input", 1u /* MFD_CLOEXEC */); }

/* prctl and syscall are variadic. What cannot be given up is not worth failing for: rights are given up by setuid. */
static inline void adhand_confine(void) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, 9 /* SIGKILL */, 0, 0, 0);
}
/* Processes whose parent dies become this one's children, and not the first process's. */
static inline int adhand_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }
/* CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS of <linux/sched.h>: no network, not even this machine's. */
static inline void adhand_leave_network(void) { syscall(__NR_unshare, 0x40000000 | 0x08000000 | 0x04000000); }
