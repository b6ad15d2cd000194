#pragma once
// Devices of hands and eyes: GPIO lines (character device, version 2), keys (evdev) and a television (CEC). ioctl is variadic, and
// the kernel's structures have fields without names, so that Swift cannot ask by itself. No decision lives here.
#include <linux/cec.h>
#include <linux/gpio.h>

/* Without <sys/ioctl.h> and <linux/input.h>, which have names that are Glibc's. */
extern int ioctl(int descriptor, unsigned long request, ...);

/* Lines of that chip; -1 with errno ENOTTY where it is no GPIO chip. */
static inline int adhand_gpio_lines(int chip) {
    struct gpiochip_info info = {0};
    return ioctl(chip, GPIO_GET_CHIPINFO_IOCTL, &info) < 0 ? -1 : (int)info.lines;
}

/* Who uses a line: 0 nobody, 1 somebody whose name is copied, -1 unknown. */
static inline int adhand_gpio_user(int chip, unsigned int line, char *name, unsigned long size) {
    struct gpio_v2_line_info info = {.offset = line};
    if (ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, &info) < 0) return -1;
    unsigned long length = 0;
    while (length + 1 < size && length < sizeof info.consumer && info.consumer[length]) {
        name[length] = info.consumer[length];
        length++;
    }
    name[length] = 0;
    return info.flags & GPIO_V2_LINE_FLAG_USED ? 1 : 0;
}

static inline int adhand_gpio_request(int chip, unsigned int line, unsigned long long flags, int attribute, unsigned long long value) {
    struct gpio_v2_line_request request = {.offsets = {line}, .consumer = "adhan-hooks", .config = {.flags = flags}, .num_lines = 1};
    request.config.num_attrs = 1;
    request.config.attrs[0].mask = 1;
    request.config.attrs[0].attr.id = attribute;
    if (attribute == GPIO_V2_LINE_ATTR_ID_DEBOUNCE)
        request.config.attrs[0].attr.debounce_period_us = value;
    else
        request.config.attrs[0].attr.values = value;
    return ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) < 0 ? -1 : request.fd;
}

/* A line that drives, from the first moment with that value; -1 with errno. The kernel gives it back when the descriptor is closed. */
static inline int adhand_gpio_output(int chip, unsigned int line, int is_active_low, int is_on) {
    unsigned long long flags = GPIO_V2_LINE_FLAG_OUTPUT | (is_active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0);
    return adhand_gpio_request(chip, line, flags, GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES, is_on ? 1 : 0);
}

/* A line that is read, pulled to where it is not pressed; both edges are reported. */
static inline int adhand_gpio_input(int chip, unsigned int line, int is_active_low, unsigned int debounce_us) {
    unsigned long long flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING;
    flags |= is_active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW | GPIO_V2_LINE_FLAG_BIAS_PULL_UP : GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN;
    return adhand_gpio_request(chip, line, flags, GPIO_V2_LINE_ATTR_ID_DEBOUNCE, debounce_us);
}

static inline int adhand_gpio_set(int line, int is_on) {
    struct gpio_v2_line_values values = {.bits = is_on ? 1 : 0, .mask = 1};
    return ioctl(line, GPIO_V2_LINE_SET_VALUES_IOCTL, &values);
}

/* 0 or 1; -1 with errno. */
static inline int adhand_gpio_get(int line) {
    struct gpio_v2_line_values values = {.mask = 1};
    return ioctl(line, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0 ? -1 : (int)(values.bits & 1);
}

/* <linux/input.h>: 64-bit machines have this form, as do the kernel's streams there. */
struct adhand_key_event {
    long long seconds;
    long long microseconds;
    unsigned short type;
    unsigned short code;
    int value;
};

/* EVIOCGRAB: nobody else sees its keys. */
static inline int adhand_key_grab(int device) { return ioctl(device, _IOW('E', 0x90, int), 1L); }
/* EVIOCGBIT(EV_KEY): which keys it has, a bit each; -1 with errno ENOTTY where it has no keys at all. */
static inline int adhand_key_bits(int device, unsigned char *bits, unsigned long size) {
    return ioctl(device, _IOC(_IOC_READ, (unsigned)0x45 /* E */, 0x20 + 1, size), bits);
}

/* What the adapter is; -1 with errno ENOTTY where it is none. */
static inline int adhand_cec_capabilities(int device) {
    struct cec_caps caps = {{0}};
    return ioctl(device, CEC_ADAP_G_CAPS, &caps) < 0 ? -1 : (int)caps.capabilities;
}
/* The input of the television that it is connected to, such as 0x1000; 0xffff where there is none, -1 with errno. */
static inline int adhand_cec_place(int device) {
    unsigned short place = CEC_PHYS_ADDR_INVALID;
    return ioctl(device, CEC_ADAP_G_PHYS_ADDR, &place) < 0 ? -1 : place;
}
/* The address that it speaks from, taken now if it has none; 15 where none was free, -1 with errno. */
static inline int adhand_cec_address(int device) {
    struct cec_log_addrs own = {0};
    if (ioctl(device, CEC_ADAP_G_LOG_ADDRS, &own) < 0) return -1;
    if (own.num_log_addrs == 0) {
        struct cec_log_addrs wanted = {.cec_version = CEC_OP_CEC_VERSION_1_4, .num_log_addrs = 1, .vendor_id = CEC_VENDOR_ID_NONE, .osd_name = "adhand"};
        wanted.primary_device_type[0] = CEC_OP_PRIM_DEVTYPE_PLAYBACK;
        wanted.log_addr_type[0] = CEC_LOG_ADDR_TYPE_PLAYBACK;
        wanted.all_device_types[0] = CEC_OP_ALL_DEVTYPE_PLAYBACK;
        if (ioctl(device, CEC_ADAP_S_LOG_ADDRS, &wanted) < 0) return -1;
        own = wanted;
    }
    return own.log_addr_mask ? own.log_addr[0] : 15;
}
/* Sends a message and waits for its answer if there is one. The answer's third byte, 0 where none is asked for; -1 with errno, -2 where
   nobody took it, -3 where nobody answered. */
static inline int adhand_cec_send(int device, int from, int to, const unsigned char *bytes, unsigned int count, int answer) {
    struct cec_msg message = {.len = 1 + count, .timeout = answer ? 1000 : 0, .reply = answer};
    message.msg[0] = from << 4 | to;
    for (unsigned int i = 0; i < count; i++) message.msg[1 + i] = bytes[i];
    if (ioctl(device, CEC_TRANSMIT, &message) < 0) return -1;
    if (!(message.tx_status & CEC_TX_STATUS_OK)) return -2;
    if (!answer) return 0;
    return message.rx_status & CEC_RX_STATUS_OK && !(message.rx_status & CEC_RX_STATUS_FEATURE_ABORT) ? message.msg[2] : -3;
}
