#pragma once
#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* alsa-lib prints its troubles to standard error unless a handler is set, whose type is variadic, which Swift cannot express. This one
 * keeps each thread's first complaint, which names the cause; those after it are its echo in the layers above.
 * To be used from one Swift file only: every object file that uses these functions gets its own memory. */
enum { ADHAND_ALSA_SAID = 512 };
static inline char *adhand_alsa_said(void) {
    static __thread char said[ADHAND_ALSA_SAID];
    return said;
}

static inline void adhand_alsa_keep(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code;
    if (*adhand_alsa_said()) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(adhand_alsa_said(), ADHAND_ALSA_SAID, format, arguments);
    va_end(arguments);
}

static inline void adhand_alsa_listen(void) {
    snd_lib_error_set_handler(adhand_alsa_keep);
    *adhand_alsa_said() = 0;
}

/* Moves the kept complaint into `text`; empty when there was none. */
static inline void adhand_alsa_take(char *text, size_t size) {
    snprintf(text, size, "%s", adhand_alsa_said());
    *adhand_alsa_said() = 0;
}

/* prctl is variadic. The kernel keeps 15 characters. */
static inline void adhand_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* Asks for turns of `nanoseconds` (100,000 at least) for the calling thread of ordinary priority: Linux 6.12 and newer let a thread
 * with short turns go ahead of those with longer ones when it wakes. Needs no right; older kernels ignore it. The structure is
 * sched_setattr(2)'s, for which the C library has no function before glibc 2.41. */
static inline void adhand_take_short_turns(uint64_t nanoseconds) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = {.size = sizeof attributes, .nice = getpriority(PRIO_PROCESS, 0), .runtime = nanoseconds};
    syscall(SYS_sched_setattr, 0, &attributes, 0);
}
