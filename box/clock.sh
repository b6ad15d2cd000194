#!/bin/sh
# Waits until the time is known: from a clock with a battery that went on while the box was off, else from the network, for as
# long as it takes. A clock that only stood still looks sane and is wrong by the length of the power cut.
# usage: clock.sh
set -u
known() {
    [ -e /run/systemd/timesync/synchronized ] && return
    # The initramfs noted which time was known last before anything of this boot touched it.
    last=$(cat /run/adhan-box/last-known-time 2>/dev/null || echo 0)
    for clock in /sys/class/rtc/rtc*; do
        [ -e "$clock/since_epoch" ] && [ "$(cat "$clock/hctosys" 2>/dev/null)" = 1 ] &&
            [ "$(cat "$clock/since_epoch")" -gt "$last" ] && return
    done
    return 1
}
# A battery clock on the pins of a Raspberry Pi, which nothing but its owner can name: cmdline.txt says adhan.rtc=ds3231. The kernel sets
# its time by it as soon as it is there.
chip=$(sed -n 's/.*adhan\.rtc=\([a-z0-9]*\).*/\1/p' /proc/cmdline)
bus=/sys/bus/i2c/devices/i2c-1
battery_clock() {
    [ -n "$chip" ] && [ -e $bus/new_device ] && [ ! -e "${bus%/*}/1-0068" ] || return 0
    echo "$chip 0x68" > $bus/new_device
}
while battery_clock; ! known; do
    [ -e /run/adhan-box/no-clock ] || echo 'the time is not known: waiting for the network' >&2
    : > /run/adhan-box/no-clock
    sleep 1
done
[ -e /run/adhan-box/no-clock ] || exit 0
rm -f /run/adhan-box/no-clock
# The card says what was missing: it is answered again, beside adhand that starts now.
systemctl --no-block restart adhan-box-answer.service
