/* A file system that hangs: reading from the file $SLOW_READ takes ten minutes.
 *
 *   gcc -shared -fPIC -O2 slow_read.c -o slow_read.so;  LD_PRELOAD=slow_read.so SLOW_READ=file program
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static ssize_t slow(int descriptor, void *buffer, size_t count, off_t offset) {
    const char *path = getenv("SLOW_READ");
    struct stat slow, own;
    if (path && !stat(path, &slow) && !fstat(descriptor, &own) && slow.st_ino == own.st_ino && slow.st_dev == own.st_dev)
        sleep(600);
    return syscall(SYS_pread64, descriptor, buffer, count, offset);
}

ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset) { return slow(descriptor, buffer, count, offset); }
ssize_t pread64(int descriptor, void *buffer, size_t count, off_t offset) { return slow(descriptor, buffer, count, offset); }
