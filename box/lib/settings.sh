# shellcheck shell=sh
# The file system of the partition for settings, as the image has it and as a box creates it again. Sourced, in the initramfs as
# well.

# make_settings DEVICE [EXTENDED_OPTIONS [MKE2FS_OPTION...]]: makes a small file system that start.sh grows with the card, up to
# 512 GB without another layout: with the block size and the room for descriptors (resize=, in blocks) of a large one.
make_settings() {
    device=$1
    extended=resize=134217728${2:+,$2}
    shift $(($# > 1 ? 2 : 1))
    mke2fs -q -F -t ext4 -b 4096 -E "$extended" -L adhan-data -m 1 -J size=16 -O metadata_csum,64bit "$@" "$device" 64M
}

# settings_left DIRECTORY: whether any of the settings are present in a repaired file system.
settings_left() {
    [ -e "$1/etc/adhand" ] || [ -e "$1/var/lib/adhand" ]
}

# find_lost_settings DIRECTORY: moves lost settings back. A file system that lost its root has its content in lost+found, by
# number; each item is recognised by its content.
find_lost_settings() {
    for found in "$1"/lost+found/*; do
        for sign in etc/adhand/adhand.toml var/lib/adhand system/current etc-changes/machine-id; do
            place=$1/${sign%%/*}
            [ -e "$place" ] || [ ! -e "$found/${sign#*/}" ] || mv "$found" "$place"
        done
    done
}
