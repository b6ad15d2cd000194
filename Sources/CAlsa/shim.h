#pragma once
#include <alsa/asoundlib.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/* alsa-lib prints its troubles to standard error unless a handler is set, and the handler's type is variadic, which Swift cannot
 * express. This one swallows what threads other than ours provoke (sound-server plugins start some); the playback thread
 * collects its own messages through snd_lib_error_set_local, which is not variadic. */
static inline void adhand_alsa_swallow(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

static inline void adhand_alsa_keep_quiet(void) { snd_lib_error_set_handler(adhand_alsa_swallow); }

/* prctl is variadic. The kernel keeps 15 characters. */
static inline void adhand_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
