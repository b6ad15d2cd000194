#!/bin/bash
# Runs in the emulated machine, as root under its systemd: the life of the package, with the checks of Tests/package.
# shellcheck disable=SC2016,SC2034 # for the inner shell; variables of checks.sh
set -u
export NO_COLOR=1 TERM=dumb LC_ALL=C.UTF-8 SYSTEMD_PAGER='' SYSTEMD_COLORS=0 DEBIAN_FRONTEND=noninteractive
inside() { "$@"; }
. /share/checks.sh
box_share=/share
failures=0

card() {
    within 'modprobe snd-hda-intel; tries=0
        until grep -q "^00-00" /proc/asound/pcm; do tries=$((tries + 1)); test $tries -lt 100; sleep 0.5; done
        udevadm settle; cat /proc/asound/pcm; amixer -q sset Master 100% unmute'
}

# Plays on the sound card of the emulated machine.
dhuhr() {
    within 'cat > /etc/adhand/adhand.toml' <<CONF || return 1
timezone = "Etc/UTC"
[location]
name = "Test box"
latitude = 10.0
longitude = $(longitude_for $(($(date +%s) + 60)))
[calculation]
rounding = "none"
[audio]
devices = ["plughw:0,0"]
CONF
    within 'adhanctl check; systemctl reload adhand; adhanctl status | grep -q "Test box"; tries=0
        until adhanctl --json history | tr -d " \n" | grep -q "\"outcome\":\"played\""; do
            tries=$((tries + 1)); test $tries -lt 90 || { adhanctl status; adhanctl history; exit 1; }; sleep 1; done
        adhanctl --json history | tr -d " \n" | grep -q "\"prayer\":\"\(dhuhr\|jumua\)\""'
}
lateness() { adhanctl --json history | tr -d ' \n' | sed -E 's/.*"latenessMs":([0-9.]+).*/\1 ms/'; }
memory() { awk '/VmRSS|VmHWM/ { printf "%s %.1f MB ", $1, $2 / 1024 }' "/proc/$(systemctl show -P MainPID adhand)/status"; }

# The service works although systemd forbids memory that is writable and executable at once.
sealed() {
    within 'test "$(systemctl show -P MemoryDenyWriteExecute adhand)" = yes
        if grep " rwx" "/proc/$(systemctl show -P MainPID adhand)/maps"; then exit 1; fi'
}

echo "  $(uname -srm), $(systemctl --version | head -1), booted in $(cut -d' ' -f1 /proc/uptime) s"
is 'the machine has a sound card' card
is 'the package installs' install
is 'the service and its socket run and start with the machine' units
is 'no memory of it is writable and executable' sealed
is 'what the service does not need is closed to it' sandbox
is 'dhuhr is called on the card' dhuhr
echo "  late by $(lateness), $(memory)"
is 'a broken file is refused on reload, and the old one stays' broken_reload
is 'after SIGKILL it is back, muted as before' killed
is 'an upgrade keeps configuration, mute, switches and history' upgrade
is 'stopped, adhanctl says with status 69 how to start it' stopped
is 'removing it leaves configuration and state, and nothing running' removed
is 'installed again, everything is as it was' again
is 'purging leaves nothing' purged
echo "TRIAL DONE: $failures failed"
