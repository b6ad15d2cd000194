#!/bin/sh
# Sound cards that nobody has set yet are made as loud as they are without distortion, as adhand's own volume expects of them. What was
# set stays: alsactl stores it.
# usage: mixer.sh
set -u
state=/var/lib/alsa/asound.state
for card in /proc/asound/card[0-9]*; do
    [ -e "$card/id" ] || continue
    id=$(cat "$card/id")
    if grep -q "^state\\.$id " "$state" 2>/dev/null; then continue; fi
    amixer -c "$id" scontrols | sed "s/^Simple mixer control //" | while read -r control; do
        amixer -c "$id" sget "$control" 2>/dev/null | grep -q 'Capabilities:.*pvolume' || continue
        eval "amixer -q -c '$id' sset $control 0dB unmute" 2>/dev/null || eval "amixer -q -c '$id' sset $control 90% unmute" 2>/dev/null || true
    done
    echo "the mixer of $id was set to its full undistorted loudness"
    stored=yes
done
[ -z "${stored:-}" ] || alsactl store
