/* Names that end in ".hangs" are looked up for a minute, as by a resolver that nobody answers.
 *
 *   gcc -shared -fPIC -O2 hanging_names.c -o hanging_names.so;  LD_PRELOAD=hanging_names.so program
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    size_t length = node ? strlen(node) : 0;
    if (length > 6 && strcmp(node + length - 6, ".hangs") == 0) {
        sleep(60);
        return EAI_AGAIN;
    }
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
    return next(node, service, hints, result);
}
