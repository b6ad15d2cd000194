#!/bin/sh
# Determines whether the time is known, and waits until it is: from a battery clock that ran while the box was off, else from the
# network, for as long as it takes. A clock that stood still looks plausible, but is wrong by the length of the power cut.
# usage: clock.sh look     before adhand starts, which trusts no clock while the file no-clock exists
#        clock.sh wait     while adhand runs
# Environment variables replace paths in tests.
set -u
run=${ADHAN_BOX_RUN:-/run/adhan-box}
clocks=${ADHAN_BOX_CLOCKS:-/sys/class/rtc}
known() {
    [ -e "${ADHAN_BOX_SYNCHRONIZED:-/run/systemd/timesync/synchronized}" ] && return
    # The initramfs saved the last known time before anything changed it in this boot.
    last=$(cat "$run/last-known-time" 2>/dev/null || echo 0)
    for clock in "$clocks"/rtc*; do
        [ -e "$clock/since_epoch" ] && [ "$(cat "$clock/hctosys" 2>/dev/null)" = 1 ] &&
            [ "$(cat "$clock/since_epoch")" -gt "$last" ] && return
    done
    return 1
}
# A battery clock on the pins of a Raspberry Pi cannot be detected, so cmdline.txt names it: adhan.rtc=ds3231. The kernel sets
# its time from it as soon as the device exists.
chip=$(sed -n 's/.*adhan\.rtc=\([a-z0-9]*\).*/\1/p' /proc/cmdline)
bus=/sys/bus/i2c/devices/i2c-1
battery_clock() {
    [ -n "$chip" ] && [ -e $bus/new_device ] && [ ! -e "${bus%/*}/1-0068" ] || return 0
    echo "$chip 0x68" > $bus/new_device
}
battery_clock
case ${1:-} in
    look)
        ! known || exit 0
        echo 'the time is not known: waiting for the network' >&2
        : > "$run/no-clock"
        ;;
    wait)
        [ -e "$run/no-clock" ] || exit 0
        until known; do
            sleep 1
            battery_clock
        done
        rm -f "$run/no-clock"
        # Update the card's report, which named the missing time, once adhand trusts the clock; adhand checks it now and then.
        # Source the library only here: if it failed in "look", adhand would trust the clock.
        here=$(dirname "$(readlink -f "$0")")
        . "${ADHAN_BOX_LIB:-$here}/json.sh"
        tries=0
        # An adhand that is restarting does not answer for a moment, so try again.
        until [ "$tries" -ge 120 ] || { answer=$(status) && printf '%s' "$answer" | jq -e '.awaiting != "clock"' > /dev/null; }; do
            tries=$((tries + 1))
            sleep 1
        done
        systemctl --no-block restart adhan-box-answer.service
        ;;
    *) echo 'usage: clock.sh look|wait' >&2; exit 64 ;;
esac
