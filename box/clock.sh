#!/bin/sh
# Says whether the time is known, and waits until it is: from a clock with a battery that went on while the box was off, else from the
# network, for as long as it takes. A clock that only stood still looks sane and is wrong by the length of the power cut.
# usage: clock.sh look     before adhand starts, which believes no clock while no-clock is there
#        clock.sh wait     beside it
# The variables are for trials on a folder.
set -u
run=${ADHAN_BOX_RUN:-/run/adhan-box}
clocks=${ADHAN_BOX_CLOCKS:-/sys/class/rtc}
known() {
    [ -e "${ADHAN_BOX_SYNCHRONIZED:-/run/systemd/timesync/synchronized}" ] && return
    # The initramfs noted which time was known last before anything of this boot touched it.
    last=$(cat "$run/last-known-time" 2>/dev/null || echo 0)
    for clock in "$clocks"/rtc*; do
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
        # The card says what was missing, and is answered again once adhand relies on the clock, which it looks at now and then.
        # Sourced here alone: a look that failed would have the clock believed.
        here=$(dirname "$(readlink -f "$0")")
        . "${ADHAN_BOX_LIB:-$here}/json.sh"
        tries=0
        # An adhand that starts again does not answer for a moment, which says nothing.
        until [ "$tries" -ge 120 ] || { answer=$(status) && printf '%s' "$answer" | jq -e '.awaiting != "clock"' > /dev/null; }; do
            tries=$((tries + 1))
            sleep 1
        done
        systemctl --no-block restart adhan-box-answer.service
        ;;
    *) echo 'usage: clock.sh look|wait' >&2; exit 64 ;;
esac
