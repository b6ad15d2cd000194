#pragma once
// Swift's own Glibc module sees the headers without _GNU_SOURCE. With it fd_set looks different here, and no file
// could import both modules; so only what is wanted of it is asked for: struct ucred, accept4, pipe2 and
// posix_spawn_file_actions_addclosefrom_np.
#include <features.h>
#ifndef __USE_GNU
#define __USE_GNU 1
#endif
#include <fcntl.h>
#include <grp.h>
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
