/* A disk that takes its time: every fsync(2) waits as many seconds as the file $SLOW_DISK says.
 *
 *   gcc -shared -fPIC -O2 slow_disk.c -o slow_disk.so;  LD_PRELOAD=slow_disk.so SLOW_DISK=file program
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int fsync(int descriptor) {
    const char *path = getenv("SLOW_DISK");
    FILE *file = path ? fopen(path, "re") : NULL;
    double seconds = 0;
    if (file) {
        if (fscanf(file, "%lf", &seconds) != 1) seconds = 0;
        fclose(file);
    }
    usleep((useconds_t)(seconds * 1e6));
    return (int)syscall(SYS_fsync, descriptor);
}
