/* A program that ends, or whose disk is full, at its n-th change of a file.
 *
 *   gcc -shared -fPIC -O2 end_at_write.c -o end_at_write.so;  LD_PRELOAD=end_at_write.so KILL_AT_WRITE=3 program
 *
 * Counts every write, truncation, wait for the disk, renaming and removal of files; pipes and events are none.
 * KILL_AT_WRITE=3: killed instead of the third. FULL_AT_WRITE=3: from the third on every write says that the disk is full.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int calls;

/* Whether the disk is full by now; does not return when it is time to end. */
static int comes(void) {
    int call = atomic_fetch_add(&calls, 1) + 1;
    const char *end = getenv("KILL_AT_WRITE");
    if (end && call == atoi(end)) kill(getpid(), SIGKILL);
    const char *full = getenv("FULL_AT_WRITE");
    return full && call >= atoi(full);
}

/* A pipe or an event between threads is no disk. */
static int is_file(int file) {
    struct stat status;
    return file > 2 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

static long full(void) {
    errno = ENOSPC;
    return -1;
}

ssize_t write(int file, const void *bytes, size_t count) {
    if (is_file(file) && comes()) return full();
    return syscall(SYS_write, file, bytes, count);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    if (comes()) return full();
    return syscall(SYS_pwrite64, file, bytes, count, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) { return pwrite64(file, bytes, count, offset); }

int ftruncate64(int file, off64_t length) {
    comes();
    return (int)syscall(SYS_ftruncate, file, length);
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int fsync(int file) {
    comes();
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    comes();
    return (int)syscall(SYS_fdatasync, file);
}

int unlink(const char *path) {
    comes();
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int rename(const char *from, const char *to) {
    comes();
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
