#!/bin/sh
# What a box does for itself at each boot: a name of its own, and all of its card.
# usage: start.sh
# The variables are for trials on a folder.
set -eu
etc=${ADHAN_BOX_ETC:-/etc}
run=${ADHAN_BOX_RUN:-/run/adhan-box}
state=${ADHAN_BOX_STATE:-/var/lib/adhan-box}
data=$run/data

# No two boxes alike: the name comes from the card, or from the identity that systemd made at the first boot.
# An empty name is what a power cut may leave of the file.
name=$(cat "$state/hostname" 2>/dev/null) || true
[ -n "$name" ] || name=adhan-$(head -c 6 "$etc/machine-id")
case $(cat "$etc/hostname" 2>/dev/null) in
    "$name") ;;
    '' | adhan)
        echo "$name" > "$etc/hostname.new"
        sync "$etc/hostname.new" && mv -f "$etc/hostname.new" "$etc/hostname" && sync "$etc"
        hostname "$name"
        ;;
esac

# The key of its own network, made at the first boot.
adhanctl card hotspot-key > /dev/null || echo 'the hotspot has no key' >&2

# The last partition takes what is free behind it; the file system follows while it is mounted, which its journal keeps safe.
[ ! -e "$run/in-memory" ] || exit 0
device=$(findmnt -n -o SOURCE "$data")
partition=$(basename "$device")
sys=/sys/class/block/$partition
number=$(cat "$sys/partition")
disk=$(basename "$(readlink -f "$sys/..")")
end=$(($(cat "$sys/start") + $(cat "$sys/size")))
if [ $(($(cat "/sys/class/block/$disk/size") - end)) -gt 16384 ]; then
    echo ', +' | sfdisk --quiet --no-reread --no-tell-kernel --force -N "$number" "/dev/$disk"
    partx --update --nr "$number" "/dev/$disk"
fi
resize2fs "$device" 2>&1 | grep -v '^resize2fs \|^$\|Nothing to do' || true
