/* A disk that takes its time: every fsync(2) and fdatasync(2) waits as many seconds as the file $SLOW_DISK says.
 *
 *   gcc -shared -fPIC -O2 slow_disk.c -o slow_disk.so;  LD_PRELOAD=slow_disk.so SLOW_DISK=file program
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void wait_for_disk(void) {
    const char *path = getenv("SLOW_DISK");
    FILE *file = path ? fopen(path, "re") : NULL;
    double seconds = 0;
    if (file) {
        if (fscanf(file, "%lf", &seconds) != 1) seconds = 0;
        fclose(file);
    }
    usleep((useconds_t)(seconds * 1e6));
}

int fsync(int descriptor) {
    wait_for_disk();
    return (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    wait_for_disk();
    return (int)syscall(SYS_fdatasync, descriptor);
}
