#pragma once
#include <curl/curl.h>
#include <netinet/in.h>
#include <stdbool.h>

/*
 * libcurl as its headers have it, loaded when it is first asked for: forty other libraries come with it, and no program that asks no web
 * server is to wait for them.
 */

/* Whether the library is there and prepared. Before any other function of it, and asked again after a failure. From any thread. */
bool adhand_curl_is_ready(void);

/* curl_easy_setopt and curl_easy_getinfo are variadic. */
CURLcode adhand_curl_set_long(CURL *curl, CURLoption option, long value);
CURLcode adhand_curl_set_text(CURL *curl, CURLoption option, const char *value);
CURLcode adhand_curl_set_headers(CURL *curl, struct curl_slist *list);
/* libcurl copies the bytes. */
CURLcode adhand_curl_set_body(CURL *curl, const void *bytes, long count);
typedef size_t (*adhand_curl_writer)(char *bytes, size_t size, size_t count, void *context);
CURLcode adhand_curl_set_writer(CURL *curl, adhand_curl_writer writer, void *context);
/* The opener sees an address before it is connected to. */
typedef curl_socket_t (*adhand_curl_opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
CURLcode adhand_curl_set_opener(CURL *curl, adhand_curl_opener opener, void *context);
long adhand_curl_status(CURL *curl);
long adhand_curl_system_error(CURL *curl);
