#include "CMosquitto.h"
#include <dlfcn.h>
#include <pthread.h>

/* The ABI that the headers describe, as the packages name it (debian/control). */
#define LIBRARY "libmosquitto.so.1"

/* What Swift calls: result, name, parameters, arguments. One that is missing here is missing when a program is linked. */
#define FUNCTIONS(F) \
    F(int, mosquitto_lib_init, (void), ()) \
    F(struct mosquitto *, mosquitto_new, (const char *id, bool clean, void *context), (id, clean, context)) \
    F(void, mosquitto_destroy, (struct mosquitto *client), (client)) \
    F(int, mosquitto_int_option, (struct mosquitto *client, enum mosq_opt_t option, int value), (client, option, value)) \
    F(int, mosquitto_username_pw_set, (struct mosquitto *client, const char *name, const char *password), (client, name, password)) \
    F(int, mosquitto_will_set_v5, \
      (struct mosquitto *client, const char *topic, int count, const void *bytes, int qos, bool retain, mosquitto_property *list), \
      (client, topic, count, bytes, qos, retain, list)) \
    F(int, mosquitto_tls_set, \
      (struct mosquitto *client, const char *authorities, const char *folder, const char *certificate, const char *key, \
       int (*password)(char *, int, int, void *)), \
      (client, authorities, folder, certificate, key, password)) \
    F(int, mosquitto_connect_bind_v5, \
      (struct mosquitto *client, const char *host, int port, int keepalive, const char *own, const mosquitto_property *list), \
      (client, host, port, keepalive, own, list)) \
    F(int, mosquitto_disconnect_v5, (struct mosquitto *client, int reason, const mosquitto_property *list), (client, reason, list)) \
    F(int, mosquitto_subscribe_v5, \
      (struct mosquitto *client, int *id, const char *filter, int qos, int options, const mosquitto_property *list), \
      (client, id, filter, qos, options, list)) \
    F(int, mosquitto_publish_v5, \
      (struct mosquitto *client, int *id, const char *topic, int count, const void *bytes, int qos, bool retain, \
       const mosquitto_property *list), \
      (client, id, topic, count, bytes, qos, retain, list)) \
    F(int, mosquitto_socket, (struct mosquitto *client), (client)) \
    F(bool, mosquitto_want_write, (struct mosquitto *client), (client)) \
    F(int, mosquitto_loop_read, (struct mosquitto *client, int most), (client, most)) \
    F(int, mosquitto_loop_write, (struct mosquitto *client, int most), (client, most)) \
    F(int, mosquitto_loop_misc, (struct mosquitto *client), (client)) \
    F(void, mosquitto_connect_v5_callback_set, \
      (struct mosquitto *client, void (*call)(struct mosquitto *, void *, int, int, const mosquitto_property *)), (client, call)) \
    F(void, mosquitto_disconnect_v5_callback_set, \
      (struct mosquitto *client, void (*call)(struct mosquitto *, void *, int, const mosquitto_property *)), (client, call)) \
    F(void, mosquitto_publish_v5_callback_set, \
      (struct mosquitto *client, void (*call)(struct mosquitto *, void *, int, int, const mosquitto_property *)), (client, call)) \
    F(void, mosquitto_subscribe_v5_callback_set, \
      (struct mosquitto *client, void (*call)(struct mosquitto *, void *, int, int, const int *, const mosquitto_property *)), \
      (client, call)) \
    F(void, mosquitto_message_v5_callback_set, \
      (struct mosquitto *client, \
       void (*call)(struct mosquitto *, void *, const struct mosquitto_message *, const mosquitto_property *)), \
      (client, call)) \
    F(void, mosquitto_log_callback_set, \
      (struct mosquitto *client, void (*call)(struct mosquitto *, void *, int, const char *)), (client, call)) \
    F(void, mosquitto_property_free_all, (mosquitto_property **list), (list)) \
    F(int, mosquitto_property_add_int32, (mosquitto_property **list, int name, uint32_t value), (list, name, value)) \
    F(int, mosquitto_property_add_string, (mosquitto_property **list, int name, const char *value), (list, name, value)) \
    F(int, mosquitto_property_add_binary, (mosquitto_property **list, int name, const void *bytes, uint16_t count), \
      (list, name, bytes, count)) \
    F(const mosquitto_property *, mosquitto_property_read_int16, \
      (const mosquitto_property *list, int name, uint16_t *value, bool next), (list, name, value, next)) \
    F(const mosquitto_property *, mosquitto_property_read_string, \
      (const mosquitto_property *list, int name, char **value, bool next), (list, name, value, next)) \
    F(const mosquitto_property *, mosquitto_property_read_binary, \
      (const mosquitto_property *list, int name, void **bytes, uint16_t *count, bool next), (list, name, bytes, count, next))

/* Under the library's own names. Hidden, so that the library never takes them for its own. */
#define DEFINE(result, name, parameters, arguments) \
    static __typeof__(name) *own_##name; \
    __attribute__((visibility("hidden"))) result name parameters { return own_##name arguments; }
FUNCTIONS(DEFINE)

#define FIND(result, name, parameters, arguments) \
    && (own_##name = (__typeof__(name) *)dlsym(library, #name)) != NULL

static bool load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { return false; }
    if (true FUNCTIONS(FIND)) { return true; }
    dlclose(library);
    return false;
}

bool adhand_mosquitto_is_ready(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_ready = false;
    pthread_mutex_lock(&lock);
    if (!is_ready && load()) { is_ready = mosquitto_lib_init() == MOSQ_ERR_SUCCESS; }
    bool answer = is_ready;
    pthread_mutex_unlock(&lock);
    return answer;
}
