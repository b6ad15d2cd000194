#include "CCurl.h"
#include <dlfcn.h>
#include <pthread.h>

/* The ABI that the headers describe, as the packages name it (debian/control). */
#define LIBRARY "libcurl.so.4"

/* curl.h has macros of these names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

/* What Swift calls: result, name, parameters, arguments. One that is missing here is missing when a program is linked. */
#define FUNCTIONS(F) \
    F(CURLcode, curl_global_init, (long flags), (flags)) \
    F(CURL *, curl_easy_init, (void), ()) \
    F(void, curl_easy_cleanup, (CURL *curl), (curl)) \
    F(CURLcode, curl_easy_perform, (CURL *curl), (curl)) \
    F(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *line), (list, line)) \
    F(void, curl_slist_free_all, (struct curl_slist *list), (list))

/* Under the library's own names. Hidden, so that the library never takes them for its own. */
#define DEFINE(result, name, parameters, arguments) \
    static __typeof__(name) *own_##name; \
    __attribute__((visibility("hidden"))) result name parameters { return own_##name arguments; }
FUNCTIONS(DEFINE)
static __typeof__(curl_easy_setopt) *own_setopt;
static __typeof__(curl_easy_getinfo) *own_getinfo;

#define FIND(result, name, parameters, arguments) \
    && (own_##name = (__typeof__(name) *)dlsym(library, #name)) != NULL

static bool load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { return false; }
    own_setopt = (__typeof__(own_setopt))dlsym(library, "curl_easy_setopt");
    own_getinfo = (__typeof__(own_getinfo))dlsym(library, "curl_easy_getinfo");
    if (own_setopt != NULL && own_getinfo != NULL FUNCTIONS(FIND)) { return true; }
    dlclose(library);
    return false;
}

bool adhand_curl_is_ready(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_ready = false;
    pthread_mutex_lock(&lock);
    if (!is_ready && load()) { is_ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; }
    bool answer = is_ready;
    pthread_mutex_unlock(&lock);
    return answer;
}

CURLcode adhand_curl_set_long(CURL *curl, CURLoption option, long value) { return own_setopt(curl, option, value); }

CURLcode adhand_curl_set_text(CURL *curl, CURLoption option, const char *value) { return own_setopt(curl, option, value); }

CURLcode adhand_curl_set_headers(CURL *curl, struct curl_slist *list) { return own_setopt(curl, CURLOPT_HTTPHEADER, list); }

CURLcode adhand_curl_set_body(CURL *curl, const void *bytes, long count) {
    CURLcode code = own_setopt(curl, CURLOPT_POSTFIELDSIZE, count);
    return code != CURLE_OK ? code : own_setopt(curl, CURLOPT_COPYPOSTFIELDS, bytes);
}

CURLcode adhand_curl_set_writer(CURL *curl, adhand_curl_writer writer, void *context) {
    CURLcode code = own_setopt(curl, CURLOPT_WRITEFUNCTION, writer);
    return code != CURLE_OK ? code : own_setopt(curl, CURLOPT_WRITEDATA, context);
}

CURLcode adhand_curl_set_opener(CURL *curl, adhand_curl_opener opener, void *context) {
    CURLcode code = own_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, opener);
    return code != CURLE_OK ? code : own_setopt(curl, CURLOPT_OPENSOCKETDATA, context);
}

long adhand_curl_status(CURL *curl) {
    long status = 0;
    own_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

long adhand_curl_system_error(CURL *curl) {
    long code = 0;
    own_getinfo(curl, CURLINFO_OS_ERRNO, &code);
    return code;
}
