/* A sound card without hardware: an ALSA I/O plugin with a paced clock, an exact capture of what it was given, and faults on order.
 *
 *   gcc -shared -fPIC -O2 -DPIC pcm_lab.c -o libasound_module_pcm_lab.so -lasound
 *   pcm_type.lab { lib "<dir>/libasound_module_pcm_lab.so" }
 *   pcm.card { type lab  file "<dir>/heard.raw"  fault "<dir>/fault"  speed 1.0 }
 *
 * file      every frame that was heard, appended in the format the player chose; what is dropped from the queue is not heard
 * log       one line a call: "open", "setup <format> <channels> <rate> <buffer>", "start <CLOCK_REALTIME seconds>", "stop …",
 *           "close"
 * speed     how much faster than real time the card's clock runs
 * rate      the only rate the card knows (0, the default: 44100 and 48000)
 * format    the only sample format, by ALSA's name ("", the default: S16_LE S24_LE S24_3LE S32_LE FLOAT_LE)
 * channels  the only number of channels (0, the default: 1 and 2)
 * fault     a file that is read again at every call, holding one word:
 *   ok       nothing
 *   xrun     one underrun, then ok is written back
 *   suspend  the card sleeps until the word changes; what was queued is lost
 *   unplug   ENODEV, also on opening
 *   eio      EIO from every call except opening
 *   busy     EBUSY on opening
 *   eagain   takes no frames
 *   freeze   the clock stands still
 *   hang     opening and starting do not return before the word changes
 *   dead     an underrun at every look, and every call says that all is well, as a sound server that is gone does
 *   wedge    no call returns while it plays, before the word changes
 */
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "pcm_lab_options.h"

struct card {
    snd_pcm_ioplug_t io;
    int timer, capture, log;
    double speed;
    char *fault;
    int running;
    double since;             /* CLOCK_MONOTONIC when the clock (re)started */
    double frozen_at;         /* 0: not frozen */
    snd_pcm_sframes_t base;   /* frames played when it (re)started */
    snd_pcm_sframes_t played, written, captured;
    char *queue;              /* what was written and not yet heard: a ring of buffer_size frames */
    size_t frame_bytes;
};

static double clock_now(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static double now(void) { return clock_now(CLOCK_MONOTONIC); }

static void note(struct card *card, const char *format, ...) {
    if (card->log < 0) return;
    char line[160];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0 && write(card->log, line, length) < 0) return;
}

static int fault_is(struct card *card, const char *wanted) {
    char word[32];
    return !strcmp(read_fault(card->fault, word), wanted);
}

/* Wakes a poller at once, and every half period from then on. */
static void arm(struct card *card) {
    double period = card->io.period_size / (double)card->io.rate / card->speed / 2;
    if (period < 2e-4) period = 2e-4;
    struct itimerspec timer = {{(time_t)period, (long)((period - (time_t)period) * 1e9)}, {0, 1}};
    timerfd_settime(card->timer, 0, &timer, NULL);
}

static void stop_clock(struct card *card) {
    if (card->running) note(card, "stop %.6f\n", clock_now(CLOCK_REALTIME));
    card->running = 0;
    card->base = card->played;
}

static void start_clock(struct card *card) {
    card->base = card->played;
    card->since = now();
    card->frozen_at = 0;
    card->running = 1;
    arm(card);
}

/* Lets the fault of the moment take effect. Returns its errno, or 0. */
static int apply_fault(struct card *card) {
    char word[32];
    read_fault(card->fault, word);
    if (!strcmp(word, "unplug")) {
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
        return -ENODEV;
    }
    if (!strcmp(word, "eio")) return -EIO;
    while (card->running && fault_is(card, "wedge")) usleep(20000);
    if (!strcmp(word, "suspend") && card->running) {
        stop_clock(card);
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_SUSPENDED);
        return -ESTRPIPE;
    }
    if (!strcmp(word, "dead") && card->running) {
        stop_clock(card);
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
        return -EPIPE;
    }
    if (!strcmp(word, "xrun") && card->running) {
        int file = open(card->fault, O_WRONLY | O_TRUNC | O_CLOEXEC);
        if (file >= 0) {
            if (write(file, "ok", 2) != 2) return -EIO;
            close(file);
        }
        stop_clock(card);
        snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_XRUN);
        return -EPIPE;
    }
    if (!strcmp(word, "freeze") && card->running) {
        if (!card->frozen_at) card->frozen_at = now();
    } else if (card->frozen_at) {
        card->since += now() - card->frozen_at;
        card->frozen_at = 0;
    }
    return 0;
}

/* Moves frames that have been heard from the queue into the capture. */
static void capture(struct card *card) {
    snd_pcm_sframes_t until = card->played < card->written ? card->played : card->written;
    while (card->capture >= 0 && card->captured < until) {
        size_t at = card->captured % card->io.buffer_size;
        size_t count = until - card->captured;
        if (count > card->io.buffer_size - at) count = card->io.buffer_size - at;
        ssize_t done = write(card->capture, card->queue + at * card->frame_bytes, count * card->frame_bytes);
        if (done <= 0) return;
        card->captured += done / card->frame_bytes;
    }
}

static void advance(struct card *card) {
    if (!card->running) return;
    double at = card->frozen_at ? card->frozen_at : now();
    snd_pcm_sframes_t played = (at - card->since) * card->io.rate * card->speed + card->base;
    if (played > card->played) card->played = played;
    capture(card);
}

static int on_start(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    hang_while_told(card->fault);
    start_clock(card);
    note(card, "start %.6f\n", clock_now(CLOCK_REALTIME));
    return fault_is(card, "dead") ? 0 : apply_fault(card);
}

static int on_stop(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    advance(card);
    stop_clock(card);
    return 0;
}

static snd_pcm_sframes_t on_pointer(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    int code = apply_fault(card);
    if (code < 0) return code;
    advance(card);
    if (card->running && card->played >= card->written) {
        card->played = card->written;
        stop_clock(card);
        if (io->state != SND_PCM_STATE_DRAINING) return -EPIPE;
    }
    return card->played % io->buffer_size;
}

static snd_pcm_sframes_t on_transfer(
    snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct card *card = io->private_data;
    int code = apply_fault(card);
    if (code < 0) return code;
    if (fault_is(card, "eagain")) return -EAGAIN;
    const char *data = (const char *)areas->addr + (areas->first + areas->step * offset) / 8;
    for (snd_pcm_uframes_t frame = 0; frame < size; frame++) {
        size_t at = (card->written + frame) % io->buffer_size;
        memcpy(card->queue + at * card->frame_bytes, data + frame * card->frame_bytes, card->frame_bytes);
    }
    card->written += size;
    return size;
}

static int on_prepare(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    card->frame_bytes = snd_pcm_format_physical_width(io->format) / 8 * io->channels;
    card->played = card->written = card->captured = card->base = 0;
    card->running = 0;
    free(card->queue);
    card->queue = calloc(io->buffer_size, card->frame_bytes);
    if (!card->queue) return -ENOMEM;
    card->frozen_at = 0;
    arm(card);
    if (fault_is(card, "unplug")) return -ENODEV;
    return fault_is(card, "eio") ? -EIO : 0;
}

static int on_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
    (void)params;
    struct card *card = io->private_data;
    note(card, "setup %s %u %u %lu\n", snd_pcm_format_name(io->format), io->channels, io->rate, io->buffer_size);
    return fault_is(card, "eio") ? -EIO : 0;
}

/* alsa-lib 1.2.8 ignores the result: the plugin has to move the state itself. */
static int on_resume(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    if (fault_is(card, "suspend")) return -EAGAIN;
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
    start_clock(card);
    return 0;
}

static int on_poll(snd_pcm_ioplug_t *io, struct pollfd *polled, unsigned count, unsigned short *events) {
    struct card *card = io->private_data;
    unsigned long long expirations;
    *events = 0;
    if (count && polled->revents & POLLIN && read(card->timer, &expirations, 8) < 0) return 0;
    if (apply_fault(card) < 0 || io->state == SND_PCM_STATE_SUSPENDED || io->state == SND_PCM_STATE_XRUN) {
        *events = POLLERR | POLLOUT;
        return 0;
    }
    advance(card);
    snd_pcm_sframes_t room = io->buffer_size - (card->written - card->played);
    if (room >= (snd_pcm_sframes_t)io->period_size) *events = POLLOUT;
    return 0;
}

static int on_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
    struct card *card = io->private_data;
    int code = apply_fault(card);
    if (code < 0) return code;
    advance(card);
    *delay = card->written > card->played ? card->written - card->played : 0;
    return 0;
}

static int on_close(snd_pcm_ioplug_t *io) {
    struct card *card = io->private_data;
    note(card, "close\n");
    close(card->timer);
    if (card->capture >= 0) close(card->capture);
    if (card->log >= 0) close(card->log);
    free(card->fault);
    free(card->queue);
    free(card);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = on_start, .stop = on_stop, .pointer = on_pointer, .transfer = on_transfer, .prepare = on_prepare,
    .hw_params = on_hw_params, .resume = on_resume, .poll_revents = on_poll, .delay = on_delay, .close = on_close,
};

static int open_append(const char *path) {
    return path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
}

SND_PCM_PLUGIN_DEFINE_FUNC(lab) {
    (void)root;
    struct options options = {.speed = 1};
    char word[32];
    if (stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
    int code = read_options(conf, &options);
    if (code < 0) return code;
    read_fault(options.fault, word);
    if (!strcmp(word, "unplug")) return -ENODEV;
    if (!strcmp(word, "busy")) return -EBUSY;
    hang_while_told(options.fault);

    struct card *card = calloc(1, sizeof *card);
    if (!card) return -ENOMEM;
    card->speed = options.speed;
    card->fault = options.fault ? strdup(options.fault) : NULL;
    card->capture = open_append(options.file);
    card->log = open_append(options.log);
    card->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    card->io.version = SND_PCM_IOPLUG_VERSION;
    card->io.name = "adhand's lab card";
    card->io.callback = &callbacks;
    card->io.private_data = card;
    card->io.poll_fd = card->timer;
    card->io.poll_events = POLLIN;
    code = snd_pcm_ioplug_create(&card->io, name, stream, mode);
    if (code < 0) {
        on_close(&card->io);
        return code;
    }
    note(card, "open\n");
    set_limits(&card->io, &options);
    *pcmp = card->io.pcm;
    return 0;
}
SND_PCM_PLUGIN_SYMBOL(lab);
