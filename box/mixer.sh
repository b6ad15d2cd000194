#!/bin/sh
# A sound card that nobody has set yet is made as loud as it is without distortion, as adhand's own volume expects of it. What was set
# stays: alsactl stores it.
# usage: mixer.sh CARD     its number; the variables are for trials
set -u
run=${ADHAN_BOX_RUN:-/run/adhan-box}
id=$(cat "${ADHAN_BOX_CARDS:-/proc/asound}/card$1/id") || exit 0
! grep -q "^state\\.$id " "${ADHAN_BOX_MIXERS:-/var/lib/alsa/asound.state}" 2>/dev/null || exit 0
set=0
for_output() {
    # What is heard of an input while it is open (hum, or howling in a hall), and what raises a level beyond its own full one.
    case $1 in
        *Mic* | *Capture* | *Input* | *Aux* | *Beep* | *Loopback* | *Sidetone* | *Monitor* | *Boost* | Line,* | 'Line In'* | CD,* | Phone,* | Video,*) return 1 ;;
    esac
    amixer -c "$id" sget "$1" 2> /dev/null | grep -q 'Capabilities:.*pvolume'
}
# Names come from the device: they are never read as anything else.
amixer -c "$id" scontrols | sed "s/^Simple mixer control '\(.*\)',\([0-9]*\)$/\1,\2/" > "$run/mixer-$1"
while read -r control; do
    for_output "$control" || continue
    amixer -q -c "$id" sset "$control" 0dB unmute 2> /dev/null || amixer -q -c "$id" sset "$control" 90% unmute 2> /dev/null || continue
    set=$((set + 1))
done < "$run/mixer-$1"
rm -f "$run/mixer-$1"
echo "$set controls of the mixer of $id were set to full undistorted loudness"
alsactl store "$id"
