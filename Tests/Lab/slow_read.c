/* A file system that hangs: reading from the file $SLOW_READ takes ten minutes (or $SLOW_SECONDS), and so does looking whether
 * $SLOW_LOOK is there. $SLOW_READ may be another name of the file (a hard link), which a test makes when it is to begin to hang.
 *
 *   gcc -shared -fPIC -O2 slow_read.c -o slow_read.so;  LD_PRELOAD=slow_read.so SLOW_READ=file program
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned patience(void) {
    const char *seconds = getenv("SLOW_SECONDS");
    return seconds ? (unsigned)atoi(seconds) : 600;
}

static void slow_file(int descriptor) {
    const char *path = getenv("SLOW_READ");
    struct stat slow, own;
    if (path && !stat(path, &slow) && !fstat(descriptor, &own) && slow.st_ino == own.st_ino && slow.st_dev == own.st_dev)
        sleep(patience());
}

static ssize_t slow(int descriptor, void *buffer, size_t count, off_t offset) {
    slow_file(descriptor);
    return syscall(SYS_pread64, descriptor, buffer, count, offset);
}

ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset) { return slow(descriptor, buffer, count, offset); }
ssize_t pread64(int descriptor, void *buffer, size_t count, off_t offset) { return slow(descriptor, buffer, count, offset); }

ssize_t read(int descriptor, void *buffer, size_t count) {
    slow_file(descriptor);
    return syscall(SYS_read, descriptor, buffer, count);
}

static void slow_look(const char *path) {
    const char *slow = getenv("SLOW_LOOK");
    if (slow && !strcmp(slow, path)) sleep(patience());
}

int access(const char *path, int mode) {
    slow_look(path);
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

int stat(const char *path, struct stat *status) {
    slow_look(path);
    return fstatat(AT_FDCWD, path, status, 0);
}
