#pragma once
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdbool.h>

/*
 * libmosquitto as its headers have it, loaded when it is first asked for: libssl and libcrypto come with it, and no program that speaks
 * no MQTT is to wait for them.
 */

/* Whether the library is there and prepared. Before any other function of it, and asked again after a failure. From any thread. */
bool adhand_mosquitto_is_ready(void);
