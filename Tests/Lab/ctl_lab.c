/* A mixer without hardware: an ALSA control plugin with one "Master" volume (0 to 100, -50 dB to 0 dB) and switch.
 *
 *   gcc -shared -fPIC -O2 -DPIC ctl_lab.c -o libasound_module_ctl_lab.so -lasound
 *   ctl_type.lab { lib "<dir>/libasound_module_ctl_lab.so" }
 *   ctl.card { type lab  state "<dir>/mixer" }
 *
 * state: a file with "LEFT RIGHT SWITCH", read at every look and written at every change; missing: "80 80 1"
 */
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <stdio.h>
#include <string.h>

enum { VOLUME, SWITCH, CONTROLS };
static const char *const names[CONTROLS] = {"Master Playback Volume", "Master Playback Switch"};

struct mixer {
    snd_ctl_ext_t ext;
    char *state;
    long left, right;
    int on;
};

static unsigned decibels[] = {SND_CTL_TLVT_DB_SCALE, 8, (unsigned)-5000, 50};

static void load(struct mixer *mixer) {
    mixer->left = mixer->right = 80;
    mixer->on = 1;
    FILE *file = fopen(mixer->state, "re");
    if (!file) return;
    long left, right;
    int on;
    if (fscanf(file, "%ld %ld %d", &left, &right, &on) == 3) {
        mixer->left = left;
        mixer->right = right;
        mixer->on = on;
    }
    fclose(file);
}

static int save(struct mixer *mixer) {
    FILE *file = fopen(mixer->state, "we");
    if (!file) return -EIO;
    fprintf(file, "%ld %ld %d\n", mixer->left, mixer->right, mixer->on);
    return fclose(file) ? -EIO : 1;
}

static int on_count(snd_ctl_ext_t *ext) {
    (void)ext;
    return CONTROLS;
}

static int on_list(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
    (void)ext;
    if (offset >= CONTROLS) return -EINVAL;
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
    snd_ctl_elem_id_set_name(id, names[offset]);
    return 0;
}

static snd_ctl_ext_key_t on_find(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
    (void)ext;
    unsigned number = snd_ctl_elem_id_get_numid(id);
    if (number > 0 && number <= CONTROLS) return number - 1;
    for (int control = 0; control < CONTROLS; control++)
        if (!strcmp(snd_ctl_elem_id_get_name(id), names[control])) return control;
    return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int on_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *count) {
    (void)ext;
    *type = key == SWITCH ? SND_CTL_ELEM_TYPE_BOOLEAN : SND_CTL_ELEM_TYPE_INTEGER;
    *access = SND_CTL_EXT_ACCESS_READWRITE | (key == VOLUME ? SND_CTL_EXT_ACCESS_TLV_READ : 0);
    *count = key == SWITCH ? 1 : 2;
    return 0;
}

static int on_range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *lowest, long *highest, long *step) {
    (void)ext;
    *lowest = 0;
    *highest = key == SWITCH ? 1 : 100;
    *step = 1;
    return 0;
}

static int on_read(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    struct mixer *mixer = ext->private_data;
    load(mixer);
    if (key == SWITCH) {
        value[0] = mixer->on;
    } else {
        value[0] = mixer->left;
        value[1] = mixer->right;
    }
    return 0;
}

static int on_write(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    struct mixer *mixer = ext->private_data;
    load(mixer);
    if (key == SWITCH) {
        mixer->on = value[0];
    } else {
        mixer->left = value[0];
        mixer->right = value[1];
    }
    return save(mixer);
}

static void on_subscribe(snd_ctl_ext_t *ext, int subscribe) {
    (void)ext;
    (void)subscribe;
}

static int on_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
    (void)ext;
    (void)id;
    (void)mask;
    return -EAGAIN;
}

static void on_close(snd_ctl_ext_t *ext) {
    struct mixer *mixer = ext->private_data;
    free(mixer->state);
    free(mixer);
}

static const snd_ctl_ext_callback_t callbacks = {
    .close = on_close, .elem_count = on_count, .elem_list = on_list, .find_elem = on_find,
    .get_attribute = on_attribute, .get_integer_info = on_range, .read_integer = on_read, .write_integer = on_write,
    .subscribe_events = on_subscribe, .read_event = on_event,
};

SND_CTL_PLUGIN_DEFINE_FUNC(lab) {
    (void)root;
    const char *state = NULL;
    snd_config_iterator_t position, next;
    snd_config_for_each(position, next, conf) {
        snd_config_t *entry = snd_config_iterator_entry(position);
        const char *key;
        if (snd_config_get_id(entry, &key) < 0) continue;
        if (!strcmp(key, "state")) snd_config_get_string(entry, &state);
    }
    if (!state) return -EINVAL;
    struct mixer *mixer = calloc(1, sizeof *mixer);
    if (!mixer) return -ENOMEM;
    mixer->state = strdup(state);
    mixer->ext.version = SND_CTL_EXT_VERSION;
    strcpy(mixer->ext.id, "lab");
    strcpy(mixer->ext.driver, "lab");
    strcpy(mixer->ext.name, "adhand's lab card");
    strcpy(mixer->ext.longname, "adhand's lab card");
    strcpy(mixer->ext.mixername, "adhand's lab mixer");
    mixer->ext.poll_fd = -1;
    mixer->ext.callback = &callbacks;
    mixer->ext.private_data = mixer;
    mixer->ext.tlv.p = decibels;
    int code = snd_ctl_ext_create(&mixer->ext, name, mode);
    if (code < 0) {
        on_close(&mixer->ext);
        return code;
    }
    *handlep = mixer->ext.handle;
    return 0;
}
SND_CTL_PLUGIN_SYMBOL(lab);
