#!/bin/sh
# Prepares the box at each boot: a host name, the hotspot's key, and the full size of the card.
# usage: start.sh
# Environment variables replace paths in tests.
set -eu
etc=${ADHAN_BOX_ETC:-/etc}
run=${ADHAN_BOX_RUN:-/run/adhan-box}
state=${ADHAN_BOX_STATE:-/var/lib/adhan-box}
data=$run/data

# Each box has a unique name, from the card or from the machine identity that systemd made at the first boot.
# A power cut may leave the file empty.
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

# The key of the box's own network is made at the first boot.
adhanctl card hotspot-key > /dev/null || echo 'the hotspot has no key' >&2

# Grows the last partition into the free space behind it, then the mounted file system, whose journal protects it.
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
