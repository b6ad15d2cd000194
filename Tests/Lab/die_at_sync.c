/* A program that ends at its n-th wait for the disk.
 *
 *   gcc -shared -fPIC -O2 die_at_sync.c -o die_at_sync.so;  LD_PRELOAD=die_at_sync.so DIE_AT_SYNC=3 program
 *
 * Counts every fsync(2) and fdatasync(2). 3: it ends instead of the third; +3: right after it.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int calls;

static int counted(long number, int descriptor) {
    const char *wanted = getenv("DIE_AT_SYNC");
    int isAfter = wanted && *wanted == '+';
    int isDue = wanted && atomic_fetch_add(&calls, 1) + 1 == atoi(wanted);
    if (isDue && !isAfter) _exit(99);
    int result = (int)syscall(number, descriptor);
    if (isDue) _exit(99);
    return result;
}

int fsync(int descriptor) { return counted(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return counted(SYS_fdatasync, descriptor); }
