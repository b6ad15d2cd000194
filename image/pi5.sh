#!/bin/sh
# Installs a second kernel for a Raspberry Pi 5, because Debian's own lacks the drivers of its memory card and of the chip behind
# its network and USB. The kernel comes from Debian's backports; apt takes from there only what is named, and what exists nowhere
# else.
# usage: pi5.sh ROOT SUITE     runs as a hook of mmdebstrap, while ROOT still has its package lists
set -eu
root=$1 backports=$2-backports
# Runs the root's own apt, because this machine's apt would install here.
in_root() { chroot "$root" /usr/bin/env DEBIAN_FRONTEND=noninteractive "$@"; }
kernel=$(in_root apt-cache show "linux-image-arm64/$backports" | sed -n 's/^Depends:.* \(linux-image-[^ ]*\) .*/\1/p')
[ -n "$kernel" ] || { echo "there is no kernel in $backports" >&2; exit 1; }
in_root apt-get -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends install "$kernel" "linux-base/$backports"
# shellcheck disable=SC2016 # the syntax of dpkg-query
if in_root dpkg-query -W -f '${Version} ${Package}\n' | grep '~bpo' | grep -v ' linux-'; then
    echo "$backports gave more than a kernel" >&2
    exit 1
fi
