/* A notification server that shows nothing: it writes down what it receives, and presses what it is asked to.
 *
 *   gcc -O2 notify_lab.c -o notify_lab -lsystemd
 *   notify_lab LOG CAPABILITIES      capabilities separated by commas; on the bus of $DBUS_SESSION_BUS_ADDRESS
 *
 * Each Notify is a line of LOG: notify, id, replaced id, title, body (line ends as |), actions (separated by commas), hints
 * (name=value separated by commas), timeout; separated by tabs. A CloseNotification: close, id. On standard input: "press ID KEY".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <poll.h>
#include <systemd/sd-bus.h>

static FILE *record;
static const char *capabilities;
static uint32_t last;

static int get_capabilities(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    sd_bus_message *reply = NULL;
    sd_bus_message_new_method_return(call, &reply);
    sd_bus_message_open_container(reply, 'a', "s");
    char *copy = strdup(capabilities);
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) sd_bus_message_append(reply, "s", word);
    free(copy);
    sd_bus_message_close_container(reply);
    int code = sd_bus_send(NULL, reply, NULL);
    sd_bus_message_unref(reply);
    return code;
}

static void put(const char *text) {
    for (; *text; text++) fputc(*text == '\n' ? '|' : *text == '\t' ? ' ' : *text, record);
}

static int notify(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    const char *application, *icon, *title, *body, *word;
    uint32_t replaced;
    int32_t timeout;
    if (sd_bus_message_read(call, "susss", &application, &replaced, &icon, &title, &body) < 0) return -EINVAL;
    uint32_t id = replaced ? replaced : ++last;
    fprintf(record, "notify\t%u\t%u\t", id, replaced);
    put(title), fputc('\t', record), put(body), fputc('\t', record);
    sd_bus_message_enter_container(call, 'a', "s");
    for (int i = 0; sd_bus_message_read(call, "s", &word) > 0; i++) fprintf(record, "%s%s", i ? "," : "", word);
    sd_bus_message_exit_container(call);
    fputc('\t', record);
    sd_bus_message_enter_container(call, 'a', "{sv}");
    for (int i = 0; sd_bus_message_enter_container(call, 'e', "sv") > 0; i++) {
        const char *name, *type;
        sd_bus_message_read(call, "s", &name);
        sd_bus_message_peek_type(call, NULL, &type);
        fprintf(record, "%s%s=", i ? "," : "", name);
        uint8_t byte;
        int flag;
        if (!strcmp(type, "y")) sd_bus_message_read(call, "v", "y", &byte), fprintf(record, "%u", byte);
        else if (!strcmp(type, "b")) sd_bus_message_read(call, "v", "b", &flag), fprintf(record, "%d", flag);
        else if (!strcmp(type, "s")) sd_bus_message_read(call, "v", "s", &word), put(word);
        else sd_bus_message_skip(call, "v");
        sd_bus_message_exit_container(call);
    }
    sd_bus_message_exit_container(call);
    if (sd_bus_message_read(call, "i", &timeout) < 0) return -EINVAL;
    fprintf(record, "\t%d\n", timeout);
    fflush(record);
    return sd_bus_reply_method_return(call, "u", id);
}

static int close_notification(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    uint32_t id;
    sd_bus_message_read(call, "u", &id);
    fprintf(record, "close\t%u\n", id);
    fflush(record);
    return sd_bus_reply_method_return(call, "");
}

static const sd_bus_vtable methods[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("GetCapabilities", "", "as", get_capabilities, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Notify", "susssasa{sv}i", "u", notify, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("CloseNotification", "u", "", close_notification, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL("ActionInvoked", "us", 0),
    SD_BUS_VTABLE_END,
};

int main(int count, char **arguments) {
    static const char *name = "org.freedesktop.Notifications", *path = "/org/freedesktop/Notifications";
    if (count != 3 || !(record = fopen(arguments[1], "a"))) return 64;
    capabilities = arguments[2];
    sd_bus *bus = NULL;
    if (sd_bus_open_user(&bus) < 0 || sd_bus_add_object_vtable(bus, NULL, path, name, methods, NULL) < 0
        || sd_bus_request_name(bus, name, 0) < 0)
        return 1;
    fputs("ready\n", record), fflush(record);
    for (;;) {
        while (sd_bus_process(bus, NULL) > 0) {}
        sd_bus_flush(bus);
        struct pollfd files[2] = {{sd_bus_get_fd(bus), POLLIN, 0}, {0, POLLIN, 0}};
        poll(files, 2, -1);
        if (files[1].revents) {
            char line[256];
            unsigned id;
            char key[64];
            ssize_t length = read(0, line, sizeof line - 1);
            if (length <= 0) return 0;
            line[length] = 0;
            if (sscanf(line, "press %u %63s", &id, key) == 2)
                sd_bus_emit_signal(bus, path, name, "ActionInvoked", "us", id, key);
        }
        if (files[0].revents & (POLLHUP | POLLERR)) return 0;
    }
}
