#pragma once
#include <curl/curl.h>
#include <netinet/in.h>

/* curl_easy_setopt and curl_easy_getinfo are variadic. */
static inline CURLcode adhand_curl_set_long(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode adhand_curl_set_text(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode adhand_curl_set_headers(CURL *curl, struct curl_slist *list) {
    return curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
}
/* libcurl copies the bytes. */
static inline CURLcode adhand_curl_set_body(CURL *curl, const void *bytes, long count) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, count);
    return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, bytes);
}
typedef size_t (*adhand_curl_writer)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode adhand_curl_set_writer(CURL *curl, adhand_curl_writer writer, void *context) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, writer);
    return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
}
/* The opener sees an address before it is connected to. */
typedef curl_socket_t (*adhand_curl_opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
static inline CURLcode adhand_curl_set_opener(CURL *curl, adhand_curl_opener opener, void *context) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, opener);
    return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, context);
}
static inline long adhand_curl_status(CURL *curl) {
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
static inline long adhand_curl_system_error(CURL *curl) {
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &code);
    return code;
}
