/* A wall clock that is ahead of the machine's, for one program: another date without setting anything.
 *
 *   gcc -shared -fPIC -O2 clock_ahead.c -o clock_ahead.so
 *   LD_PRELOAD=./clock_ahead.so CLOCK_AHEAD=6652800 program
 *
 * CLOCK_AHEAD is in seconds, and holds for the whole life of the program. CLOCK_MONOTONIC and CLOCK_BOOTTIME stay as they are.
 * Timers for an instant of the wall clock are armed for the machine's instant of it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static time_t ahead;

__attribute__((constructor)) static void start(void) {
    const char *text = getenv("CLOCK_AHEAD");
    ahead = text ? atoll(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = (int)syscall(SYS_clock_gettime, clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += ahead;
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec fine;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &fine);
    now->tv_sec = fine.tv_sec;
    now->tv_usec = fine.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec fine;
    clock_gettime(CLOCK_REALTIME, &fine);
    if (now) *now = fine.tv_sec;
    return fine.tv_sec;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *when, struct itimerspec *before) {
    static int (*real)(int, int, const struct itimerspec *, struct itimerspec *);
    struct itimerspec own = *when;
    if (!real) real = (int (*)(int, int, const struct itimerspec *, struct itimerspec *))dlsym(RTLD_NEXT, "timerfd_settime");
    /* What is so far in the future was meant for the clock that is ahead; others count from the machine's start. */
    if ((flags & TFD_TIMER_ABSTIME) && own.it_value.tv_sec > ahead && own.it_value.tv_sec > 1000000000) own.it_value.tv_sec -= ahead;
    return real(timer, flags, &own, before);
}
