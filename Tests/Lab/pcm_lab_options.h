/* What asound.conf and the fault file say about a lab card. */
#pragma once
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct options {
    const char *file, *log, *fault, *format;
    double speed;
    long rate, channels;
};

static int read_options(snd_config_t *config, struct options *options) {
    snd_config_iterator_t position, next;
    snd_config_for_each(position, next, config) {
        snd_config_t *entry = snd_config_iterator_entry(position);
        const char *key;
        if (snd_config_get_id(entry, &key) < 0 || !strcmp(key, "type") || !strcmp(key, "hint")) continue;
        if (!strcmp(key, "file")) snd_config_get_string(entry, &options->file);
        else if (!strcmp(key, "log")) snd_config_get_string(entry, &options->log);
        else if (!strcmp(key, "fault")) snd_config_get_string(entry, &options->fault);
        else if (!strcmp(key, "format")) snd_config_get_string(entry, &options->format);
        else if (!strcmp(key, "speed")) snd_config_get_ireal(entry, &options->speed);
        else if (!strcmp(key, "rate")) snd_config_get_integer(entry, &options->rate);
        else if (!strcmp(key, "channels")) snd_config_get_integer(entry, &options->channels);
        else {
            SNDERR("the lab card has no option %s", key);
            return -EINVAL;
        }
    }
    return 0;
}

static void set_limits(snd_pcm_ioplug_t *io, const struct options *options) {
    unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    unsigned formats[] = {SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S32_LE,
                          SND_PCM_FORMAT_FLOAT_LE};
    int named = options->format && *options->format;
    unsigned format = named ? (unsigned)snd_pcm_format_value(options->format) : 0;
    unsigned rates[] = {44100, 48000}, rate = options->rate;
    snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, access);
    snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT, named ? 1 : 5, named ? &format : formats);
    snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_RATE, rate ? 1 : 2, rate ? &rate : rates);
    snd_pcm_ioplug_set_param_minmax(
        io, SND_PCM_IOPLUG_HW_CHANNELS, options->channels ? options->channels : 1, options->channels ? options->channels : 2);
    snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 1 << 18);
    snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 512, 1 << 20);
    snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
}

/* The word in the fault file, in `word`. */
static const char *read_fault(const char *path, char word[32]) {
    strcpy(word, "ok");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return word;
    ssize_t length = read(file, word, 31);
    close(file);
    word[length > 0 ? length : 0] = 0;
    word[strcspn(word, " \n")] = 0;
    if (!word[0]) strcpy(word, "ok");
    return word;
}

/* Waits like a library whose server does not answer; not for ever, so that no test leaves a thread behind. */
static void hang_while_told(const char *fault) {
    char word[32];
    const struct timespec nap = {0, 20000000};
    for (int naps = 0; naps < 1000 && !strcmp(read_fault(fault, word), "hang"); naps++) nanosleep(&nap, NULL);
}
