#pragma once
#include <alsa/asoundlib.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/* alsa-lib prints its troubles to standard error unless a handler is set. The one for all threads has a variadic type, which Swift
 * cannot express; it swallows what threads other than ours provoke (sound-server plugins start some). The one for this thread keeps the
 * first complaint, which names the cause; those after it are its echo in the layers above.
 * To be used from one Swift file only: every object file that uses them gets its own memory. */
enum { ADHAND_ALSA_SAID = 512 };
static inline char *adhand_alsa_said(void) {
    static __thread char said[ADHAND_ALSA_SAID];
    return said;
}

static inline void adhand_alsa_swallow(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

static inline void adhand_alsa_keep(
    const char *file, int line, const char *function, int code, const char *format, va_list arguments) {
    (void)file, (void)line, (void)function, (void)code;
    if (!*adhand_alsa_said()) vsnprintf(adhand_alsa_said(), ADHAND_ALSA_SAID, format, arguments);
}

static inline void adhand_alsa_listen(void) {
    snd_lib_error_set_handler(adhand_alsa_swallow);
    snd_lib_error_set_local(adhand_alsa_keep);
    *adhand_alsa_said() = 0;
}

/* Moves the kept complaint into `text`; empty when there was none. */
static inline void adhand_alsa_take(char *text, size_t size) {
    snprintf(text, size, "%s", adhand_alsa_said());
    *adhand_alsa_said() = 0;
}

/* prctl is variadic. The kernel keeps 15 characters. */
static inline void adhand_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
