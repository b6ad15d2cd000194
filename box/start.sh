#!/bin/sh
# What a box does for itself at each boot: a name of its own, and all of its card.
# usage: start.sh
set -eu
data=/run/adhan-box/data

# No two boxes alike: the name comes from the identity that systemd made at the first boot.
name=adhan-$(head -c 6 /etc/machine-id)
if [ "$(cat /etc/hostname 2>/dev/null)" = adhan ]; then
    echo "$name" > /etc/hostname.new
    mv -f /etc/hostname.new /etc/hostname
    hostname "$name"
fi

# The last partition takes what is free behind it; the file system follows while it is mounted, which its journal keeps safe.
[ ! -e /run/adhan-box/in-memory ] || exit 0
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
