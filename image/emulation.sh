#!/bin/sh
# Makes this machine run programs of another architecture, also in a chroot.
# usage: emulation.sh arm64
set -eu
[ "$1" = arm64 ] || exit 1
[ "$(dpkg --print-architecture)" != "$1" ] || exit 0
formats=/proc/sys/fs/binfmt_misc
[ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats
[ -e $formats/qemu-aarch64 ] || sed 's/:[A-Z]*$/:OPF/' /usr/lib/binfmt.d/qemu-aarch64.conf > $formats/register
