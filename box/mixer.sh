#!/bin/sh
# Sets a sound card that has never been set as loud as possible without distortion, as adhand's own volume expects. Existing
# settings stay: alsactl stores them.
# usage: mixer.sh CARD     the card's number; environment variables replace paths in tests
set -u
run=${ADHAN_BOX_RUN:-/run/adhan-box}
id=$(cat "${ADHAN_BOX_CARDS:-/proc/asound}/card$1/id") || exit 0
! grep -q "^state\\.$id " "${ADHAN_BOX_MIXERS:-/var/lib/alsa/asound.state}" 2>/dev/null || exit 0
set=0
for_output() {
    # Skip controls that make an input audible (hum, or feedback in a hall), and those that amplify beyond full level.
    case $1 in
        *Mic* | *Capture* | *Input* | *Aux* | *Beep* | *Loopback* | *Sidetone* | *Monitor* | *Boost* | Line,* | 'Line In'* | CD,* | Phone,* | Video,*) return 1 ;;
    esac
    amixer -c "$id" sget "$1" 2> /dev/null | grep -q 'Capabilities:.*pvolume'
}
# Control names come from the device, so they are never evaluated.
amixer -c "$id" scontrols | sed "s/^Simple mixer control '\(.*\)',\([0-9]*\)$/\1,\2/" > "$run/mixer-$1"
while read -r control; do
    for_output "$control" || continue
    amixer -q -c "$id" sset "$control" 0dB unmute 2> /dev/null || amixer -q -c "$id" sset "$control" 90% unmute 2> /dev/null || continue
    set=$((set + 1))
done < "$run/mixer-$1"
rm -f "$run/mixer-$1"
echo "$set controls of the mixer of $id were set to full undistorted loudness"
alsactl store "$id"
