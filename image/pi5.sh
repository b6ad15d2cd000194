#!/bin/sh
# A second kernel, for a Raspberry Pi 5: Debian's own has neither its memory card nor the chip behind its network and USB. It is that of
# Debian's backports, and nothing else is theirs: apt takes from them what is named, and what is nowhere else.
# usage: pi5.sh ROOT SUITE     as a hook of mmdebstrap: ROOT has its package lists yet
set -eu
root=$1 backports=$2-backports
# Never the apt of this machine, which would install for this machine.
in_root() { chroot "$root" /usr/bin/env DEBIAN_FRONTEND=noninteractive "$@"; }
kernel=$(in_root apt-cache show "linux-image-arm64/$backports" | sed -n 's/^Depends:.* \(linux-image-[^ ]*\) .*/\1/p')
[ -n "$kernel" ] || { echo "there is no kernel in $backports" >&2; exit 1; }
in_root apt-get -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends install "$kernel" "linux-base/$backports"
# shellcheck disable=SC2016 # dpkg-query's own signs
if in_root dpkg-query -W -f '${Version} ${Package}\n' | grep '~bpo' | grep -v ' linux-'; then
    echo "$backports gave more than a kernel" >&2
    exit 1
fi
